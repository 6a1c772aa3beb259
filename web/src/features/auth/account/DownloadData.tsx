import { t } from '@lingui/core/macro';
import { Button, Group, Loader, Paper, Stack } from '@mantine/core';
import { IconDownload, IconFileZip } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import {
  askForExport,
  currentCodeHeader,
  currentPasskeyHeader,
  currentPasswordHeader,
  type DataExport,
  exportOwnData,
  getExport,
} from '#contract/takeout.ts';
import { exportPauseMinutes } from '#contract/constants.ts';
import { endpointQuery } from '../../../api/endpoint-query.ts';
import { errorMessage } from '../../../api/api-error.ts';
import { call, callForFile } from '../../../api/call.ts';
import { queryClient } from '../../../api/query-client.ts';
import { brandFile, saveFile } from '../../../ui/data/save-file.ts';
import { useNow } from '../../../ui/data/Time.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { QueryStates, Skeleton } from '../../../ui/feedback/PageStates.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { formatDate, formatNumber } from '../../../ui/text/format.ts';
import { Confirmed } from './ConfirmIdentity.tsx';
import { OwnProofForm, type Proof } from './ProofForm.tsx';

const lookAgainMs = 2000;

const exportQuery = endpointQuery(
  getExport,
  {},
  {
    select: (data) => data.export,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.export.state === 'preparing' ? lookAgainMs : false),
  },
);

/** Encodes a proof for headers, which can only contain ASCII characters. */
function inHeaders({ password, code, passkey }: Proof): Record<string, string> {
  const given = {
    [currentPasswordHeader]: password,
    [currentCodeHeader]: code,
    [currentPasskeyHeader]: passkey === undefined ? undefined : JSON.stringify(passkey),
  };
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, encodeURIComponent(value.toWellFormed())]],
    ),
  );
}

async function prepare(proof: Proof): Promise<void> {
  const { data } = await call(askForExport, { body: proof });
  queryClient.setQueryData(exportQuery.queryKey, data);
}

async function download(proof: Proof): Promise<void> {
  const { blob, name } = await callForFile(exportOwnData, { headers: inHeaders(proof) });
  saveFile(blob, name ?? brandFile('data.zip'));
}

interface ProofStepProps {
  email: string;
  text: string;
  busyText: string;
  onProof: (proof: Proof) => Promise<unknown>;
  onCancel?: () => void;
}

/** Asks people to confirm their identity; without a password, they have to sign in again first. */
function ProofStep(props: ProofStepProps) {
  return <Confirmed isMember>{(isProven) => <OwnProofForm {...props} isProven={isProven} />}</Confirmed>;
}

function PrepareForm(props: { email: string; onCancel?: () => void }) {
  return <ProofStep {...props} text={t`Prepare my data`} busyText={t`One moment...`} onProof={prepare} />;
}

/** The state of an archive. */
function Fact({ sign, title, children }: { sign: ReactNode; title: string; children: string }) {
  return (
    <Paper radius="md" shadow="none" py="0.9rem" px="1rem">
      <Group gap="0.85rem" wrap="nowrap" c="var(--hw-accent)">
        {sign}
        <Stack component="p" gap="0.1rem" c="var(--hw-ink)">
          <strong>{title}</strong>
          <Hint component="span">{children}</Hint>
        </Stack>
      </Group>
    </Paper>
  );
}

/** Downloads an archive: with one press right after it was requested, later only with a proof of identity. */
function Download({ ready, email, now }: { ready: DataExport; email: string; now: number }) {
  const [isSaved, setSaved] = useState(false);
  const save = async (proof: Proof) => {
    setSaved(false);
    await download(proof);
    setSaved(true);
  };
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => save({}),
    onError: () => queryClient.invalidateQueries({ queryKey: exportQuery.queryKey }),
  });
  const isFresh = ready.provenUntil !== null && Date.parse(ready.provenUntil) > now;
  return (
    <>
      {isFresh ? (
        <div>
          <BusyButton
            isBusy={isPending}
            busyText={t`Downloading...`}
            leftSection={<IconDownload size={18} stroke={1.75} aria-hidden="true" />}
            onClick={() => mutate()}
          >
            {t`Download my data`}
          </BusyButton>
        </div>
      ) : (
        <ProofStep email={email} text={t`Download my data`} busyText={t`Downloading...`} onProof={save} />
      )}
      {isFresh && error !== null && <Notice kind="error">{errorMessage(error)}</Notice>}
      {isSaved && <Notice kind="success">{t`Your data has been saved to this device.`}</Notice>}
    </>
  );
}

/** An archive that can be downloaded, or replaced with a new one. */
function Ready({ ready, email }: { ready: DataExport; email: string }) {
  const [isRenewing, setRenewing] = useState(false);
  const now = useNow(30_000);
  const isPaused = Date.parse(ready.askedAt ?? '') + exportPauseMinutes * 60_000 > now;
  return (
    <>
      {isRenewing ? (
        <PrepareForm email={email} onCancel={() => setRenewing(false)} />
      ) : (
        <Download ready={ready} email={email} now={now} />
      )}
      {!isRenewing && !isPaused && (
        <div>
          <Button variant="subtle" size="compact-sm" mt="0.35rem" ms="-0.5rem" onClick={() => setRenewing(true)}>
            {t`Prepare a new archive`}
          </Button>
        </div>
      )}
    </>
  );
}

/** The archive of all data about the member, which is prepared in the background and then downloaded. */
export function DownloadData({ email }: { email: string }) {
  return (
    <QueryStates
      query={useQuery(exportQuery)}
      loadingText={t`One moment...`}
      skeleton={<Skeleton height="8rem" />}
      errorText={(error) => t`Couldn't load the state of your archive: ${error}`}
    >
      {(known) => (
        <Stack gap="0.85rem">
          <div role="status">
            {known.state === 'preparing' && (
              <Fact sign={<Loader size={24} aria-hidden="true" />} title={t`We're preparing your archive`}>
                {t`You can leave this page. We'll email you when it's ready.`}
              </Fact>
            )}
            {known.state === 'ready' && (
              <Fact
                sign={<IconFileZip size={28} stroke={1.5} aria-hidden="true" />}
                title={t`Your data is ready to download`}
              >
                {t`${{ size: formatNumber(Math.max(1, Math.round((known.sizeBytes ?? 0) / 100_000)) / 10) }} MB, prepared on ${{ day: formatDate(known.askedAt) }}, available until ${{ until: formatDate(known.availableUntil) }}`}
              </Fact>
            )}
          </div>
          {known.state === 'failed' && (
            <Notice kind="error">{t`Couldn't prepare your archive. Please try again.`}</Notice>
          )}
          {(known.state === 'none' || known.state === 'failed') && <PrepareForm email={email} />}
          {known.state === 'ready' && <Ready ready={known} email={email} />}
        </Stack>
      )}
    </QueryStates>
  );
}
