import { useState } from 'react';
import { currentCodeHeader, currentPasskeyHeader, currentPasswordHeader, exportOwnData } from '#contract/takeout.ts';
import { callForFile } from '../../../api/call.ts';
import { saveFile } from '../../../ui/data/save-file.ts';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { t } from '../../../ui/text/text.ts';
import { OwnProofForm, type Proof } from './ProofForm.tsx';

/** A proof as headers can carry it, which take plain characters only. */
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

/** Saves everything the service holds about the member as one archive, once they confirmed who they are. */
export function DownloadData({ email, isProven }: { email: string; isProven: boolean }) {
  const [isSaved, setSaved] = useState(false);
  return (
    <>
      <OwnProofForm
        email={email}
        text={t('Download my data')}
        busyText={t('Preparing your data...')}
        isProven={isProven}
        onProof={async (proof) => {
          setSaved(false);
          const { blob, name } = await callForFile(exportOwnData, { headers: inHeaders(proof) });
          saveFile(blob, name ?? 'heartwood.zip');
          setSaved(true);
        }}
      />
      {isSaved && <Notice kind="success">{t('Your data has been saved to this device.')}</Notice>}
    </>
  );
}
