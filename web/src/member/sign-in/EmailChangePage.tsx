import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, Suspense, useState } from 'react';
import { Link } from 'react-router';
import { cancelEmailChange, restoreEmail } from '#contract/auth/auth.ts';
import { memberPasswordMinLength, staffPasswordMinLength } from '#contract/constants.ts';
import { ApiError, errorMessage } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { clearSession } from '../../api/session/stored-session.ts';
import classes from '../../features/auth/sign-in.module.css';
import { useLinkToken } from '../../features/auth/sign-in/use-link-token.ts';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { BusyButton } from '../../ui/form/BusyButton.tsx';
import { lazyPart } from '../../ui/loading/lazy-page.tsx';
import { t } from '../../ui/text/text.ts';
import { AuthCard, AuthFields } from './AuthCard.tsx';

/** Needed only after the press. */
const proofForm = lazyPart(() =>
  import('../../features/auth/account/ProofForm.tsx').then((module) => module.ProofForm),
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

/** What the link is for, and the button that does it: nothing happens when the page opens. */
function Press({ text, button, error, isBusy, onPress }: PressProps) {
  return (
    <>
      <p className={classes.text}>{text}</p>
      {error && <Notice kind="error">{t(errorMessage(error))}</Notice>}
      <BusyButton size="md" isBusy={isBusy} busyText={t('One moment...')} onClick={onPress}>
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
        text={t(
          'The change was canceled, and the device that asked for it was signed out. The person who asked knows your password, so choose a new one now.',
        )}
        to="/app/forgot-password"
        link={t('Choose a new password')}
      />
    );
  }
  return (
    <Press
      text={t(
        "Someone who is signed in to your account asked to use another email address. If it wasn't you, cancel it.",
      )}
      button={t('Cancel this change')}
      error={command.error}
      isBusy={command.isPending}
      onPress={() => command.mutate()}
    />
  );
}

function Undo({ token }: { token: string }) {
  const [isDone, setDone] = useState(false);
  const [usesCode, setUsesCode] = useState(false);
  const ask = useMutation({
    // The link alone is refused, with what the account can be proven with.
    mutationFn: async () => {
      proofForm.preload();
      try {
        await call(restoreEmail, { body: { token } });
      } catch (error) {
        if (error instanceof ApiError && error.data.proof) return error.data.proof;
        throw error;
      }
      return undefined;
    },
  });
  if (isDone) {
    return (
      <Done
        text={t(
          'Your account uses this address again. All devices were signed out, and your new password counts from now on.',
        )}
        to="/app/sign-in"
        link={t('Sign in')}
      />
    );
  }
  if (ask.data === undefined) {
    return (
      <Press
        text={t(
          "The email address of your account was changed. If it wasn't you, you can undo that. You need the password, the code from your app or the passkey that worked before.",
        )}
        button={t('Take my account back')}
        error={ask.error}
        isBusy={ask.isPending}
        onPress={() => ask.mutate()}
      />
    );
  }
  const { hasPassword, hasFactor, hasPasskey } = ask.data;
  // One of them is enough.
  const asksCode = hasFactor && (usesCode || !hasPassword);
  return (
    <>
      <Suspense>
        <proofForm.Part
          key={String(asksCode)}
          hasPassword={hasPassword && !asksCode}
          hasFactor={asksCode}
          hasPasskey={hasPasskey}
          isAnyEnough
          email=""
          passwordLabel={t('Password before the change')}
          extra={{
            newPassword: {
              label: t('New password'),
              description: t('At least {members} characters, {staff} for staff. Common passwords are not accepted.', {
                members: memberPasswordMinLength,
                staff: staffPasswordMinLength,
              }),
            },
          }}
          text={t('Undo the change')}
          busyText={t('One moment...')}
          onProof={async (proof, { newPassword }) => {
            await call(restoreEmail, { body: { ...proof, token, newPassword } });
            clearSession('signedOut');
            setDone(true);
          }}
        />
      </Suspense>
      {hasPassword && hasFactor && (
        <Button variant="subtle" onClick={() => setUsesCode(!usesCode)}>
          {asksCode ? t('Use the password instead') : t('Use a code from your app instead')}
        </Button>
      )}
    </>
  );
}

/** Where the emails about a change of address lead: cancel it before, or undo it after. */
export function EmailChangePage() {
  const cancel = useLinkToken('cancel');
  const undo = useLinkToken('undo');
  let content: ReactNode = <Notice kind="warning">{t('Open this page with the link from our email.')}</Notice>;
  if (cancel !== null) content = <Cancel token={cancel} />;
  else if (undo !== null) content = <Undo token={undo} />;
  return (
    <AuthCard title={cancel === null ? t('Take your account back') : t('Change of email address')}>
      <AuthFields>{content}</AuthFields>
    </AuthCard>
  );
}
