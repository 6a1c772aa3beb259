import { t } from '@lingui/core/macro';
import { Button, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { changeEmail, verifyEmail } from '#contract/auth/auth.ts';
import { emailSchema, readableAddress } from '#contract/text.ts';
import { errorCode, errorMessage } from '../../../api/api-error.ts';
import { call } from '../../../api/call.ts';
import { Form } from '../../../ui/form/Form.tsx';
import { dropDraft, keepDraft, readDraft } from '../../../ui/form/drafts.ts';
import { keepSession, readSession } from '../../../api/session/stored-session.ts';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { digitsOf } from '../../../ui/form/form-values.ts';
import { useSelfSubmit } from '../../../ui/form/CodeField.tsx';
import { passingFocus } from '../../../ui/layout/Page.tsx';
import { refetchAccount } from '../queries.ts';
import { useSession } from '../session/session.ts';
import { RestoreNotice } from './AccountNotices.tsx';
import { Confirmed } from './ConfirmIdentity.tsx';
import { OnDemand } from './OnDemand.tsx';
import { OwnProofForm } from './ProofForm.tsx';
import { ResendCode } from '../sign-in/ResendCode.tsx';

const draftName = 'change-email';

interface CodeFormProps {
  address: string;
  onConfirmed: () => void;
  onCancel: () => void;
}

function CodeForm({ address, onConfirmed, onCancel }: CodeFormProps) {
  const [code, setCode] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useSelfSubmit(field, code);
  const command = useMutation({
    mutationFn: () => call(verifyEmail, { body: { code } }),
    onSuccess: onConfirmed,
  });
  const resendError = useSession((session) => (session.status === 'resend_failed' ? session.error : null));
  const isWrongCode = ['INVALID_CODE', 'INVALID_INPUT'].includes(errorCode(command.error) ?? '');
  const error = command.error && errorMessage(command.error);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (code !== '' && !command.isPending) command.mutate();
  }

  return (
    <Form maw="26rem" onSubmit={submit}>
      <Notice kind="info">
        {t`We sent a code to ${{ address: readableAddress(address) }}. Enter it here to start signing in with that address.`}
      </Notice>
      <TextInput
        ref={field}
        name="code"
        size="md"
        required
        label={t`Six-digit code`}
        description={t`It is checked right away. No email? Check your spam folder, and that the address is right.`}
        inputMode="numeric"
        autoComplete="one-time-code"
        value={code}
        error={isWrongCode && error}
        onChange={(event) => {
          setCode(digitsOf(event.currentTarget.value).slice(0, 6));
          command.reset();
        }}
      />
      {error !== null && !isWrongCode && <Notice kind="error">{error}</Notice>}
      {resendError !== null && <Notice kind="error">{resendError}</Notice>}
      <Stack ref={passingFocus} gap="0.7rem" align="flex-start">
        <BusyButton type="submit" isBusy={command.isPending} busyText={t`Confirming...`}>
          {t`Confirm`}
        </BusyButton>
        <ResendCode />
        <Button variant="subtle" onClick={onCancel}>
          {t`Keep the old address`}
        </Button>
      </Stack>
    </Form>
  );
}

/**
 * Changes the email address of the account. The change takes effect once the code sent to the new address has been
 * entered.
 */
export function ChangeEmail({ email, isMember }: { email: string; isMember: boolean }) {
  const [pending, setPending] = useState(() => readDraft(draftName)?.['address'] ?? null);
  const [isDone, setDone] = useState(false);
  const restoreAt = useSession((session) => session.addressRestoreAt ?? null);

  function checkAddress(extra: { email: string }) {
    const address = emailSchema.safeParse(extra.email);
    if (!address.success) return [{ field: 'email', msg: address.error.issues[0]?.message ?? '' }];
    return address.data === email ? [{ field: 'email', msg: t`This is already your address` }] : [];
  }

  function sent(address: string) {
    keepDraft(draftName, { address });
    setPending(address);
    setDone(false);
  }

  function cancel() {
    dropDraft(draftName);
    setPending(null);
  }

  function confirmed(address: string) {
    cancel();
    setDone(true);
    const { user } = readSession();
    if (user) keepSession({ user: { ...user, email: address } });
    refetchAccount();
  }

  return (
    <Stack maw="26rem">
      <p>{t`You sign in with ${{ email: readableAddress(email) }}.`}</p>
      {restoreAt !== null && <RestoreNotice at={restoreAt} />}
      {isDone && <Notice kind="success">{t`Email address changed. Your other devices were signed out.`}</Notice>}
      {pending === null ? (
        <OnDemand name="email" text={t`Change email address...`}>
          <Confirmed isMember={isMember}>
            {(isProven) => (
              <OwnProofForm
                email={email}
                isProven={isProven}
                text={t`Send code`}
                busyText={t`Sending...`}
                extra={{ email: t`New address` }}
                check={checkAddress}
                onProof={async (proof, extra) => {
                  const address = emailSchema.parse(extra.email);
                  await call(changeEmail, { body: { ...proof, email: address } });
                  sent(address);
                }}
              />
            )}
          </Confirmed>
        </OnDemand>
      ) : (
        <CodeForm address={pending} onConfirmed={() => confirmed(pending)} onCancel={cancel} />
      )}
    </Stack>
  );
}
