import { Button } from '@mantine/core';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import type { AnswerOf } from '#contract/endpoint.ts';
import { enableTotp, setUpTotp } from '#contract/auth/factors.ts';
import { call } from '../../../api/call.ts';
import { useCommand } from '../../../api/use-command.ts';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { useText } from '../../../ui/text/text.ts';
import { CodeField } from '../sign-in/CodeField.tsx';
import type { GivenProof } from '../account/ProofForm.tsx';
import { QrCode } from './QrCode.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';
import classes from './SecondFactor.module.css';

type Begun = AnswerOf<typeof setUpTotp>['data'];

/** `ABCD EFGH …`: what is typed by hand is read in groups. */
const inGroups = (secret: string) => secret.replaceAll(/(.{4})(?=.)/g, '$1 ');

interface ScanProps {
  begun: Begun;
  onEnabled: (recoveryCodes: string[]) => void;
  onGiveUp: () => void;
}

function Scan({ begun, onEnabled, onGiveUp }: ScanProps) {
  const t = useText();
  const [code, setCode] = useState('');
  const command = useCommand();
  const field = useRef<HTMLInputElement>(null);
  const isWrongCode = command.code === 'INVALID_CODE' || command.code === 'INVALID_INPUT';
  const error = command.error === null ? null : t(command.error);

  useEffect(() => {
    if (isWrongCode) field.current?.focus();
  }, [isWrongCode]);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (code === '') return;
    await command.run(async () => onEnabled((await call(enableTotp, { body: { code } })).data.recoveryCodes));
  }

  return (
    <form noValidate className={classes.form} onSubmit={(event) => void submit(event)}>
      <ol className={classes.steps}>
        <li>
          <p className={classes.text}>
            {t('Scan this square with an authenticator app, such as the one of your password manager or phone.')}
          </p>
          <div className={classes.key}>
            <QrCode text={begun.uri} label={t('Square to scan with your authenticator app')} />
            <div>
              <p className={classes.soft}>{t('Or type this key into it:')}</p>
              <p className={classes.secret}>{inGroups(begun.secret)}</p>
            </div>
          </div>
        </li>
        <li>
          <p className={classes.text}>{t('Then enter the six digits that it shows.')}</p>
          <CodeField
            ref={field}
            isRecovery={false}
            isExplained
            value={code}
            error={isWrongCode && error !== null ? error : undefined}
            onChange={(value) => {
              setCode(value);
              command.reset();
            }}
          />
        </li>
      </ol>
      {error !== null && !isWrongCode && <Notice kind="error">{error}</Notice>}
      <div className={classes.buttons}>
        <BusyButton type="submit" isBusy={command.isPending} busyText={t('Checking...')}>
          {t('Turn on')}
        </BusyButton>
        <Button variant="subtle" color="gray" onClick={onGiveUp}>
          {t('Cancel')}
        </Button>
      </div>
    </form>
  );
}

interface TotpSetUpProps {
  /** Draws how it begins: asks who somebody is, and hands the proof on. */
  begin: (onProof: (proof: GivenProof) => Promise<void>) => ReactNode;
  /** The second factor is on, and its recovery codes are kept. */
  onDone: () => void;
  onGiveUp: () => void;
}

/** Sets a second factor up in three steps: who one is, app and first code, recovery codes. */
export function TotpSetUp({ begin, onDone, onGiveUp }: TotpSetUpProps) {
  const [begun, setBegun] = useState<Begun | null>(null);
  const [recoveryCodes, setRecoveryCodes] = useState<string[] | null>(null);
  if (recoveryCodes !== null) return <RecoveryCodes codes={recoveryCodes} onKept={onDone} />;
  if (begun !== null) return <Scan begun={begun} onEnabled={setRecoveryCodes} onGiveUp={onGiveUp} />;
  return begin(async (proof) => setBegun((await call(setUpTotp, { body: proof })).data));
}
