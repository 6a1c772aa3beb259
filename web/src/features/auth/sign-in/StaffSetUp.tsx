import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useCommand } from '../../../api/use-command.ts';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { useText } from '../../../ui/text/text.ts';
import { addPasskey, canUsePasskeys } from '../factors/passkey-ceremony.ts';
import { type GivenProof, ProofForm } from '../account/ProofForm.tsx';
import classes from '../account.module.css';
import { useSession } from '../session/session.ts';
import { signOut } from '../session/current-user.ts';
import { TotpSetUp } from '../factors/TotpSetUp.tsx';

/** Why staff are led to a second step before anything else. */
export const staffSetUpReason =
  'Your account opens what members trust us with, so a password alone is not enough here.';

interface StaffSetUpProps {
  /** What was typed at the door a moment ago; null where it has to be asked for. */
  password: string | null;
  onDone: () => void;
  /** They would rather sign in as somebody else. */
  onStartAgain: () => void;
}

/** Staff set their second step up before anything else: with an app, or with a passkey, which stands for both. */
export function StaffSetUp({ password, onDone, onStartAgain }: StaffSetUpProps) {
  const t = useText();
  const email = useSession((session) => session.user?.email ?? '');
  const [way, setWay] = useState<'app' | 'passkey' | null>(null);
  const back = () => setWay(null);

  /** Shows who one is by what was typed, else asks. */
  function begin(text: string, busyText: string, onProof: (proof: GivenProof) => Promise<void>): ReactNode {
    const needs = { email, hasPassword: true, hasFactor: false, hasPasskey: false };
    return password === null ? (
      <ProofForm {...needs} text={text} busyText={busyText} onProof={onProof} onCancel={back} />
    ) : (
      <GoOn text={text} busyText={busyText} onGo={() => onProof({ password })} onBack={back} />
    );
  }

  return (
    <div className={classes.form}>
      {way === null && (
        <div className={classes.buttons}>
          <Button onClick={() => setWay('app')}>{t('With an authenticator app')}</Button>
          {canUsePasskeys() && (
            <Button variant="default" onClick={() => setWay('passkey')}>
              {t('With a passkey')}
            </Button>
          )}
          <Button
            variant="subtle"
            color="gray"
            onClick={() => {
              signOut();
              onStartAgain();
            }}
          >
            {t('Start again')}
          </Button>
        </div>
      )}
      {way === 'app' && (
        <TotpSetUp
          begin={(onProof) => begin(t('Show the square'), t('One moment...'), onProof)}
          onDone={onDone}
          onGiveUp={back}
        />
      )}
      {way === 'passkey' &&
        begin(t('Make a passkey'), t('Making it...'), async (proof) => {
          await addPasskey(proof);
          onDone();
        })}
    </div>
  );
}

interface GoOnProps {
  text: string;
  busyText: string;
  onGo: () => Promise<void>;
  onBack: () => void;
}

function GoOn({ text, busyText, onGo, onBack }: GoOnProps) {
  const t = useText();
  const command = useCommand();
  return (
    <>
      {command.error !== null && <Notice kind="error">{t(command.error)}</Notice>}
      <div className={classes.buttons}>
        <BusyButton isBusy={command.isPending} busyText={busyText} onClick={() => void command.run(onGo)}>
          {text}
        </BusyButton>
        <Button variant="subtle" color="gray" onClick={onBack}>
          {t('Another way')}
        </Button>
      </div>
    </>
  );
}
