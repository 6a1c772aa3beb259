import { t } from '@lingui/core/macro';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { exportByLink } from '#contract/takeout.ts';
import { ApiError } from '../../api/api-error.ts';
import { callForFile } from '../../api/call.ts';
import { type Proof, ProofForm } from '../../features/auth/account/ProofForm.tsx';
import { brandFile, saveFile } from '../../ui/data/save-file.ts';
import { ErrorNotice, Notice } from '../../ui/feedback/Notice.tsx';
import { BusyButton } from '../../ui/form/BusyButton.tsx';
import { AuthPage, AuthFields } from '../sign-in/AuthPage.tsx';

const needsCode = (error: Error | null) =>
  error instanceof ApiError && error.errors.some(({ field }) => field === 'code');
const needsPasskey = (error: Error | null) => error instanceof ApiError && error.code === 'PROOF_REQUIRED';
const isOver = (error: Error | null) => error instanceof ApiError && error.status === 404;

/** Downloads the data of someone who can't sign in, with the emailed link and the second factor of accounts that have one. */
export function ArchiveDownload({ token }: { token: string }) {
  const [isSaved, setSaved] = useState(false);
  const save = async ({ code, passkey }: Pick<Proof, 'code' | 'passkey'>) => {
    setSaved(false);
    const body = { token, ...(code !== undefined && { code }), ...(passkey !== undefined && { passkey }) };
    const { blob, name } = await callForFile(exportByLink, { body });
    saveFile(blob, name ?? brandFile('data.zip'));
    setSaved(true);
  };
  const { mutate, isPending, error } = useMutation({ mutationFn: () => save({}) });
  const isCode = needsCode(error);
  const asksProof = isCode || needsPasskey(error);
  return (
    <AuthPage title={t`Your data`}>
      <AuthFields>
        {isOver(error) && (
          <Notice kind="warning">
            {t`This link no longer works. Each link downloads your data once, within seven days. You can ask for a new one with the link in our email about your account.`}
          </Notice>
        )}
        {error !== null && !asksProof && !isOver(error) && <ErrorNotice error={error} />}
        {isSaved && <Notice kind="success">{t`Your data has been saved to this device.`}</Notice>}
        {asksProof ? (
          <ProofForm
            hasPassword={false}
            hasFactor={isCode}
            hasPasskey
            email=""
            text={t`Download my data`}
            busyText={t`Downloading...`}
            onProof={save}
          />
        ) : (
          <BusyButton isBusy={isPending} busyText={t`Downloading...`} onClick={() => mutate()}>
            {t`Download my data`}
          </BusyButton>
        )}
      </AuthFields>
    </AuthPage>
  );
}
