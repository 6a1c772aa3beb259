import { t } from '@lingui/core/macro';
import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconCopy, IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { encode } from 'uqr';
import { enableTotp, setUpTotp } from '#contract/auth/factors.ts';
import type { AnswerOf } from '#contract/endpoint.ts';
import { errorCode, errorMessage } from '../../../api/api-error.ts';
import { call } from '../../../api/call.ts';
import { keepSession } from '../../../api/session/stored-session.ts';
import { brandFile, saveFile } from '../../../ui/data/save-file.ts';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { Form } from '../../../ui/form/Form.tsx';
import { passingFocus } from '../../../ui/layout/Page.tsx';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { Buttons } from '../../../ui/layout/Rows.tsx';
import classes from '../auth.module.css';
import type { Proof } from '../account/ProofForm.tsx';
import { CodeField, useSelfSubmit } from '../../../ui/form/CodeField.tsx';

/** Encodes the dark squares of each row as one SVG path. */
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

/** A QR code, dark on white in every colour scheme so that cameras can read it. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 2 });
  return (
    <svg className={classes.qr} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path fill="#fff" d={`M0 0h${size}v${size}H0z`} />
      <path fill="#000" shapeRendering="crispEdges" d={pathOf(data)} />
    </svg>
  );
}

/**
 * The ten recovery codes, which are shown only once. `onSaved` is called when the person confirms that they have saved
 * them.
 */
export function RecoveryCodes({ codes, onSaved }: { codes: readonly string[]; onSaved: () => void }) {
  const [isCopied, setCopied] = useState(false);

  async function copy() {
    await navigator.clipboard.writeText(codes.join('\n')).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  }

  function download() {
    const lines = [t`{brand} recovery codes. Each works once.`, '', ...codes, ''];
    saveFile(new Blob([lines.join('\n')], { type: 'text/plain' }), brandFile('recovery-codes.txt'));
  }

  return (
    <Stack maw="30rem">
      <Title order={3}>{t`Save your recovery codes`}</Title>
      <p>
        {t`They let you in if you lose your authenticator app. Each works once, and we only show them now, so keep them with your passwords.`}
      </p>
      <ul className={classes.codes} aria-label={t`Recovery codes`}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Buttons>
        <Button
          variant="default"
          leftSection={<IconCopy size={18} stroke={1.75} aria-hidden="true" />}
          onClick={() => void copy()}
        >
          {isCopied ? t`Copied` : t`Copy`}
        </Button>
        <Button
          variant="default"
          leftSection={<IconDownload size={18} stroke={1.75} aria-hidden="true" />}
          onClick={download}
        >
          {t`Download`}
        </Button>
      </Buttons>
      <Buttons>
        <Button onClick={onSaved}>{t`I've saved them`}</Button>
      </Buttons>
      <p role="status" className="visually-hidden">
        {isCopied ? t`Codes copied.` : ''}
      </p>
    </Stack>
  );
}

type SetUp = AnswerOf<typeof setUpTotp>['data'];

/** Groups a key as `ABCD EFGH …`, so that it is easier to type by hand. */
const inGroups = (secret: string) => secret.replaceAll(/(.{4})(?=.)/g, '$1 ');

interface ScanProps {
  setUp: SetUp;
  onEnabled: (recoveryCodes: string[]) => void;
  onCancel: () => void;
}

function Scan({ setUp, onEnabled, onCancel }: ScanProps) {
  const [code, setCode] = useState('');
  const command = useMutation({
    mutationFn: async () => {
      const { recoveryCodes, ...tokens } = (await call(enableTotp, { body: { code } })).data;
      keepSession(tokens);
      return recoveryCodes;
    },
    onSuccess: onEnabled,
  });
  const field = useRef<HTMLInputElement>(null);
  const isWrongCode = ['INVALID_CODE', 'INVALID_INPUT'].includes(errorCode(command.error) ?? '');
  const error = command.error && errorMessage(command.error);

  useSelfSubmit(field, code);

  useEffect(() => {
    if (isWrongCode) field.current?.focus();
  }, [isWrongCode]);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (code !== '' && !command.isPending) command.mutate();
  }

  return (
    <Form maw="30rem" onSubmit={submit}>
      <ol>
        <li>
          <Text mb="0.6rem">
            {t`Scan this QR code with an authenticator app, such as the one in your password manager or phone.`}
          </Text>
          <Group gap="1rem 1.5rem">
            <QrCode text={setUp.uri} label={t`QR code for your authenticator app`} />
            <div>
              <Hint>{t`Or type this key into the app:`}</Hint>
              <Text maw="12.5rem" mt="0.35rem" ff="monospace" style={{ userSelect: 'all' }}>
                {inGroups(setUp.secret)}
              </Text>
            </div>
          </Group>
        </li>
        <li>
          <Text mb="0.6rem">{t`Then enter the six digits it shows. They are checked right away.`}</Text>
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
      <Buttons>
        <BusyButton type="submit" isBusy={command.isPending} busyText={t`Checking...`}>
          {t`Turn on`}
        </BusyButton>
        <Button variant="subtle" color="gray" onClick={onCancel}>
          {t`Cancel`}
        </Button>
      </Buttons>
    </Form>
  );
}

interface TotpSetUpProps {
  /** Renders the first step, which asks for a proof of identity and passes it on. */
  start: (onProof: (proof: Proof) => Promise<void>) => ReactNode;
  /** Called when two-step verification is on and the recovery codes have been saved. */
  onDone: () => void;
  onCancel: () => void;
}

/** Sets up two-step verification in three steps: proof of identity, app and first code, recovery codes. */
export function TotpSetUp({ start, onDone, onCancel }: TotpSetUpProps) {
  const [setUp, setSetUp] = useState<SetUp | null>(null);
  const [recoveryCodes, setRecoveryCodes] = useState<string[] | null>(null);
  const isSaving = recoveryCodes !== null;
  return (
    <div key={isSaving ? 'codes' : setUp ? 'code' : 'proof'} ref={passingFocus}>
      {isSaving && <RecoveryCodes codes={recoveryCodes} onSaved={onDone} />}
      {!isSaving && setUp && <Scan setUp={setUp} onEnabled={setRecoveryCodes} onCancel={onCancel} />}
      {!isSaving && !setUp && start(async (proof) => setSetUp((await call(setUpTotp, { body: proof })).data))}
    </div>
  );
}
