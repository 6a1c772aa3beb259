import { Button } from '@mantine/core';
import { IconCopy, IconDownload } from '@tabler/icons-react';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { encode } from 'uqr';
import { enableTotp, setUpTotp } from '#contract/auth/factors.ts';
import type { AnswerOf } from '#contract/endpoint.ts';
import { call } from '../../../api/call.ts';
import { useCommand } from '../../../api/use-command.ts';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { useText } from '../../../ui/text/text.ts';
import { CodeField } from '../sign-in/CodeStep.tsx';
import type { GivenProof } from '../account/ProofForm.tsx';
import classes from '../account.module.css';
import { saveFile } from '../../../ui/data/save-file.ts';

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

/** The ten codes that get in without the app, shown once; one goes on when they are kept. */
export function RecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  const t = useText();
  const [isCopied, setCopied] = useState(false);

  async function copy() {
    await navigator.clipboard.writeText(codes.join('\n')).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  }

  function download() {
    const lines = [t('Heartwood recovery codes. Each works once.'), '', ...codes, ''];
    saveFile(new Blob([lines.join('\n')], { type: 'text/plain' }), 'heartwood-recovery-codes.txt');
  }

  return (
    <div className={classes.form}>
      <h3 className={classes.title}>{t('Keep your recovery codes')}</h3>
      <p className={classes.text}>
        {t(
          'They let you in when you have lost your app. Each works once, and we show them only now: keep them where you keep passwords.',
        )}
      </p>
      <ul className={classes.codes} aria-label={t('Recovery codes')}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={classes.buttons}>
        <Button
          variant="default"
          leftSection={<IconCopy size={18} stroke={1.75} aria-hidden="true" />}
          onClick={() => void copy()}
        >
          {isCopied ? t('Copied') : t('Copy')}
        </Button>
        <Button
          variant="default"
          leftSection={<IconDownload size={18} stroke={1.75} aria-hidden="true" />}
          onClick={download}
        >
          {t('Download')}
        </Button>
      </div>
      <div className={classes.buttons}>
        <Button onClick={onKept}>{t('I have kept them')}</Button>
      </div>
      <p role="status" className={classes.hidden}>
        {isCopied ? t('The codes are copied.') : ''}
      </p>
    </div>
  );
}

/** Runs of dark squares, row by row, as one path. */
function pathOf(rows: boolean[][]): string {
  return rows
    .flatMap((row, y) =>
      row.flatMap((isDark, x) => {
        if (!isDark || row[x - 1]) return [];
        const end = row.indexOf(false, x);
        return [`M${x} ${y}h${(end === -1 ? row.length : end) - x}v1H${x}z`];
      }),
    )
    .join('');
}

/** A square that cameras read; dark on white in every scheme. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 2 });
  return (
    <svg className={classes.qr} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path fill="#fff" d={`M0 0h${size}v${size}H0z`} />
      <path fill="#000" shapeRendering="crispEdges" d={pathOf(data)} />
    </svg>
  );
}
