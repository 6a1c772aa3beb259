import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { cancelEmailChange, restoreEmail, stopRestore } from '#contract/auth/auth.ts';
import { memberPasswordMinLength, staffPasswordMinLength } from '#contract/constants.ts';
import { ApiError, errorMessage } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { clearSession } from '../../api/session/stored-session.ts';
import { useSession } from '../../features/auth/session/session.ts';
import { useLinkToken } from '../../features/auth/sign-in/use-link-token.ts';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { BusyButton } from '../../ui/form/BusyButton.tsx';
import { lazyPart } from '../../ui/loading/LazyBoundary.tsx';
import { formatDate } from '../../ui/text/format.ts';
import { AuthPage, AuthFields } from './AuthPage.tsx';

/** Loaded separately, because it is only needed after the press. */
const [ProofForm, preloadProofForm] = lazyPart(
  async () => (await import('../../features/auth/account/ProofForm.tsx')).ProofForm,
);

function Done({ text, to, link }: { text: string; to: string; link: string }) {
  return (
    <>
      <Notice kind="success">{text}</Notice>
      <Button component={Link} to={to} size="md">
        {link}
      </Button>
    </>
  );
}

interface PressProps {
  text: string;
  button: string;
  error: Error | null;
  isBusy: boolean;
  onPress: () => void;
}

/** Explains what the link is for and offers a button, because nothing may happen when the page opens. */
function Press({ text, button, error, isBusy, onPress }: PressProps) {
  return (
    <>
      <p>{text}</p>
      {error && <Notice kind="error">{errorMessage(error)}</Notice>}
      <BusyButton size="md" isBusy={isBusy} busyText={t`One moment...`} onClick={onPress}>
        {button}
      </BusyButton>
    </>
  );
}

function Cancel({ token }: { token: string }) {
  const command = useMutation({ mutationFn: () => call(cancelEmailChange, { body: { token } }) });
  if (command.isSuccess) {
    return (
      <Done
        text={t`The change was canceled, and the device that asked for it was signed out. The person who asked knows your password, so choose a new one now.`}
        to="/app/forgot-password"
        link={t`Choose a new password`}
      />
    );
  }
  return (
    <Press
      text={t`Someone who is signed in to your account asked to use another email address. If it wasn't you, cancel it.`}
      button={t`Cancel this change`}
      error={command.error}
      isBusy={command.isPending}
      onPress={() => command.mutate()}
    />
  );
}

function PutBack({ token }: { token: string }) {
  const command = useMutation({ mutationFn: () => call(cancelEmailChange, { body: { token } }) });
  if (command.isSuccess) {
    return (
      <Done
        text={t`Your account uses this address again, and all devices were signed out. Sign in with your password, and confirm the address.`}
        to="/app/sign-in"
        link={t`Sign in`}
      />
    );
  }
  return (
    <Press
      text={t`Our team was told that this address was a mistake, and gave the account another one. If it's your account and you didn't ask for that, put your address back.`}
      button={t`Put my address back`}
      error={command.error}
      isBusy={command.isPending}
      onPress={() => command.mutate()}
    />
  );
}

function Stop({ token }: { token: string }) {
  const command = useMutation({
    mutationFn: () => call(stopRestore, { body: { token } }),
    onSuccess: () => useSession.setState({ addressRestoreAt: null }),
  });
  if (command.isSuccess) {
    return (
      <Done
        text={t`The email address stays as it is. If it wasn't you who asked, someone else knows the password, so choose a new one now.`}
        to="/app/forgot-password"
        link={t`Choose a new password`}
      />
    );
  }
  return (
    <Press
      text={t`Someone with access to the earlier email address, who knows the password, asked to undo the change of address. If it wasn't you, stop it.`}
      button={t`Stop this`}
      error={command.error}
      isBusy={command.isPending}
      onPress={() => command.mutate()}
    />
  );
}

function Undo({ token }: { token: string }) {
  /** When undoing takes effect; null means immediately, undefined that it wasn't requested yet. */
  const [effectAt, setEffectAt] = useState<string | null>();
  const ask = useMutation({
    // With only the link, the server refuses and lists the accepted proofs.
    mutationFn: async () => {
      preloadProofForm();
      try {
        await call(restoreEmail, { body: { token } });
      } catch (error) {
        if (error instanceof ApiError && error.data.proof) return error.data.proof;
        throw error;
      }
      return undefined;
    },
  });
  if (effectAt !== undefined && effectAt !== null) {
    return (
      <Notice kind="success">
        {t`Your account goes back to this address on ${{ date: formatDate(effectAt) }}, with your new password. Until then you can stop this, from the emails we sent to both addresses or on any signed-in device.`}
      </Notice>
    );
  }
  if (effectAt === null) {
    return (
      <Done
        text={t`Your account uses this address again. All devices were signed out. Sign in with your new password from now on.`}
        to="/app/sign-in"
        link={t`Sign in`}
      />
    );
  }
  if (ask.data === undefined) {
    return (
      <Press
        text={t`The email address of your account was changed. If it wasn't you, you can undo that. You need the password that you had before, or a code or passkey if you used one.`}
        button={t`Take my account back`}
        error={ask.error}
        isBusy={ask.isPending}
        onPress={() => ask.mutate()}
      />
    );
  }
  return (
    <ProofForm
      hasPassword={ask.data.hasPassword}
      hasFactor={ask.data.hasFactor}
      hasPasskey={ask.data.hasPasskey}
      email=""
      passwordLabel={t`Password before the change`}
      extra={{
        newPassword: {
          label: t`New password`,
          description: t`At least ${{ members: memberPasswordMinLength }} characters, ${{ staff: staffPasswordMinLength }} for staff. Common passwords are not accepted.`,
        },
      }}
      text={t`Undo the change`}
      busyText={t`One moment...`}
      onProof={async (proof, { newPassword }) => {
        const { takesEffectAt } = (await call(restoreEmail, { body: { ...proof, token, newPassword } })).data;
        if (takesEffectAt === null) clearSession('signedOut');
        setEffectAt(takesEffectAt);
      }}
    />
  );
}

/**
 * The page that emails about a change of address link to: cancel it beforehand, undo it afterwards, stop the undoing, or restore an address
 * that staff corrected.
 */
export function EmailChangePage() {
  const cancel = useLinkToken('cancel');
  const undo = useLinkToken('undo');
  const stop = useLinkToken('stop');
  const corrected = useLinkToken('corrected');
  let content: ReactNode = <Notice kind="warning">{t`Open this page with the link from our email.`}</Notice>;
  if (cancel !== null) content = <Cancel key={cancel} token={cancel} />;
  else if (undo !== null) content = <Undo key={undo} token={undo} />;
  else if (stop !== null) content = <Stop key={stop} token={stop} />;
  else if (corrected !== null) content = <PutBack key={corrected} token={corrected} />;
  return (
    <AuthPage title={(cancel ?? stop ?? corrected) === null ? t`Take your account back` : t`Change of email address`}>
      <AuthFields>{content}</AuthFields>
    </AuthPage>
  );
}
