import { currentPasswordHeader, exportOwnData } from '#contract/takeout.ts';
import { callForFile } from '../../../api/call.ts';
import { useCommand } from '../../../api/use-command.ts';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { PasswordForm } from '../../../ui/form/PasswordForm.tsx';
import { saveFile } from '../../../ui/data/save-file.ts';
import { useText } from '../../../ui/text/text.ts';

/** A password as it travels in a head, which takes plain characters only. */
const inHeader = (password: string) => encodeURIComponent(password.toWellFormed());

/** Saves everything the service holds of the member as one archive, after the current password. */
export function DownloadForm({ email, isProven }: { email: string; isProven: boolean }) {
  const t = useText();
  const command = useCommand();

  const download = (password?: string) =>
    command.run(async () => {
      const headers = password === undefined ? {} : { [currentPasswordHeader]: inHeader(password) };
      const { blob, name } = await callForFile(exportOwnData, { headers });
      saveFile(blob, name ?? 'heartwood.zip');
    });

  return (
    <>
      <PasswordForm
        email={email}
        text={t('Download my data')}
        busyText={t('Packing your data...')}
        isBusy={command.isPending}
        error={command.error}
        isWrongPassword={command.code === 'WRONG_PASSWORD'}
        isProven={isProven}
        onEdit={command.reset}
        onSubmit={download}
      />
      {command.isDone && <Notice kind="success">{t('Your data is saved as a file on this device.')}</Notice>}
    </>
  );
}
