import { useMutation } from '@tanstack/react-query';
import { currentPasswordHeader, exportOwnData } from '#contract/takeout.ts';
import { callForFile } from '../../../api/call.ts';
import { saveFile } from '../../../ui/data/save-file.ts';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { useText } from '../../../ui/text/text.ts';
import { PasswordForm } from './PasswordForm.tsx';

/** A password as a header can carry it: headers take plain characters only. */
const inHeader = (password: string) => encodeURIComponent(password.toWellFormed());

/** Saves everything the service holds about the member as one archive, after the current password. */
export function DownloadData({ email, isProven }: { email: string; isProven: boolean }) {
  const t = useText();
  const download = useMutation({
    mutationFn: async (password?: string) => {
      const headers = password === undefined ? {} : { [currentPasswordHeader]: inHeader(password) };
      const { blob, name } = await callForFile(exportOwnData, { headers });
      saveFile(blob, name ?? 'heartwood.zip');
    },
  });

  return (
    <>
      <PasswordForm
        email={email}
        text={t('Download my data')}
        busyText={t('Preparing your data...')}
        isProven={isProven}
        command={download}
      />
      {download.isSuccess && <Notice kind="success">{t('Your data has been saved to this device.')}</Notice>}
    </>
  );
}
