import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ReasonDialog } from '../../../ui/feedback/ReasonDialog.tsx';
import { saveFile } from '../../../ui/data/save-file.ts';

interface ExportOptions {
  title: string;
  /** What the file contains. */
  text: string;
  /** The name of the file if the server gives none. */
  fileName: string;
  /** Requests the file for a reason. */
  request: (reason: string) => Promise<{ blob: Blob; name: string | null }>;
}

/**
 * The button that exports a list, and the dialog that asks why and downloads it. The dialog is apart, because the button
 * may be in a form.
 */
export function useExport({ title, text, fileName, request }: ExportOptions) {
  const [isAsking, setAsking] = useState(false);
  const download = useMutation({
    mutationFn: async (reason: string) => {
      const { blob, name } = await request(reason);
      saveFile(blob, name ?? fileName);
    },
  });
  return {
    button: (
      <Button
        variant="default"
        leftSection={<IconDownload size={17} stroke={1.75} aria-hidden="true" />}
        onClick={() => setAsking(true)}
      >
        {t`Export`}
      </Button>
    ),
    dialog: isAsking && (
      <ReasonDialog
        title={title}
        description={t`Saved in the audit trail, with the number of rows and the hash of the file.`}
        confirm={t`Export`}
        busyText={t`Exporting...`}
        command={download}
        onClose={() => setAsking(false)}
      >
        {text}
      </ReasonDialog>
    ),
  };
}
