import { msg, t } from '@lingui/core/macro';
import { Button, Stack, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { errorMessage } from '../../../api/api-error.ts';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { Buttons } from '../../../ui/layout/Rows.tsx';
import { type Proof, ProofForm } from '../account/ProofForm.tsx';
import { addPasskey, canUsePasskeys } from '../factors/passkey-ceremony.ts';
import { TotpSetUp } from '../factors/TotpSetUp.tsx';
import { signOut, useSession } from '../session/session.ts';

/** Explains why staff have to set up two-step verification first. */
export const staffSetUpReason = msg`Your account can open members' private data, so a password alone is not enough.`;

interface ContinueButtonsProps {
  text: string;
  busyText: string;
  onContinue: () => Promise<unknown>;
  onBack: () => void;
}

function ContinueButtons({ text, busyText, onContinue, onBack }: ContinueButtonsProps) {
  const command = useMutation({ mutationFn: onContinue });
  return (
    <>
      {command.error && <Notice kind="error">{errorMessage(command.error)}</Notice>}
      <Buttons>
        <BusyButton isBusy={command.isPending} busyText={busyText} onClick={() => command.mutate()}>
          {text}
        </BusyButton>
        <Button variant="subtle" color="gray" onClick={onBack}>
          {t`Choose another way`}
        </Button>
      </Buttons>
    </>
  );
}

interface StaffSetUpProps {
  /** The password typed on the sign-in page a moment ago; empty for an account without one, null if it has to be requested. */
  password: string | null;
  onDone: () => void;
  /** Called after signing out, to sign in with another account. */
  onRestart: () => void;
}

/**
 * Asks staff to set up two-step verification before they can do anything else: with an app, or with a passkey, which is
 * enough by itself.
 */
export function StaffSetUp({ password, onDone, onRestart }: StaffSetUpProps) {
  const email = useSession((session) => session.user?.email ?? '');
  const [way, setWay] = useState<'app' | 'passkey' | null>(null);
  const back = () => setWay(null);

  /** Proves the person's identity with the password typed before; asks for it if there is none. */
  function start(text: string, busyText: string, onProof: (proof: Proof) => Promise<void>): ReactNode {
    const proofs = { email, hasPassword: true, hasFactor: false, hasPasskey: false };
    return password === null ? (
      <ProofForm {...proofs} text={text} busyText={busyText} onProof={onProof} onCancel={back} />
    ) : (
      <ContinueButtons
        text={text}
        busyText={busyText}
        onContinue={() => onProof(password === '' ? {} : { password })}
        onBack={back}
      />
    );
  }

  return (
    <Stack maw="30rem">
      {way === null && (
        <Buttons>
          <Button onClick={() => setWay('app')}>{t`Use an authenticator app`}</Button>
          {canUsePasskeys() && (
            <Button variant="default" onClick={() => setWay('passkey')}>
              {t`Use a passkey`}
            </Button>
          )}
          <Button
            variant="subtle"
            color="gray"
            onClick={() => {
              signOut();
              onRestart();
            }}
          >
            {t`Start over`}
          </Button>
        </Buttons>
      )}
      {way === 'app' && (
        <TotpSetUp
          start={(onProof) => start(t`Show the QR code`, t`One moment...`, onProof)}
          onDone={onDone}
          onCancel={back}
        />
      )}
      {way === 'passkey' &&
        start(t`Create passkey`, t`Creating...`, async (proof) => {
          await addPasskey(proof);
          onDone();
        })}
    </Stack>
  );
}

/** The same as a step of the sign-in page, with a heading. */
export function StaffSetUpStep(props: StaffSetUpProps) {
  return (
    <Stack component="section" maw="30rem" aria-labelledby="two-step">
      <Title id="two-step" order={3}>
        {t`Set up two-step verification`}
      </Title>
      <Hint>{t(staffSetUpReason)}</Hint>
      <StaffSetUp {...props} />
    </Stack>
  );
}
