import { t } from '@lingui/core/macro';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ReasonDialog } from '../../../ui/feedback/ReasonDialog.tsx';
import { saveFile } from '../../../ui/data/save-file.ts';

interface ExportDialogProps {
  title: string;
  /** The name of the file if the server gives none. */
  fileName: string;
  /** Requests the file for a reason. */
  request: (reason: string) => Promise<{ blob: Blob; name: string | null }>;
  onClose: () => void;
  /** What the file contains. */
  children: ReactNode;
}

/** Asks why a list is exported, and downloads it. */
export function ExportDialog({ title, fileName, request, onClose, children }: ExportDialogProps) {
  const download = useMutation({
    mutationFn: async (reason: string) => {
      const { blob, name } = await request(reason);
      saveFile(blob, name ?? fileName);
    },
    onSuccess: onClose,
  });
  return (
    <ReasonDialog
      title={title}
      description={t`Saved in the audit trail, with the number of rows and the hash of the file.`}
      confirm={t`Export`}
      busyText={t`Exporting...`}
      command={download}
      onConfirm={(reason) => download.mutate(reason)}
      onClose={onClose}
    >
      {children}
    </ReasonDialog>
  );
}
