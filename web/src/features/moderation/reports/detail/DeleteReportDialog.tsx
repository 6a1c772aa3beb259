import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { deleteReport } from '#contract/moderation/reports.ts';
import { call } from '../../../../api/call.ts';
import { keys } from '../../../../api/keys.ts';
import { BusyButton } from '../../../../ui/form/BusyButton.tsx';
import { Dialog } from '../../../../ui/feedback/Dialog.tsx';
import { Notice } from '../../../../ui/feedback/Notice.tsx';
import { useText } from '../../../../ui/text/text.ts';
import { commandKey } from '../report-cache.ts';
import { shortReportId } from '../report-words.ts';

interface DeleteReportDialogProps {
  id: string;
  onDeleted: () => void;
  onClose: () => void;
}

/** Asks before a report is taken out of every list. */
export function DeleteReportDialog({ id, onDeleted, onClose }: DeleteReportDialogProps) {
  const t = useText();
  const client = useQueryClient();
  const removal = useMutation({
    mutationKey: [...commandKey, 'delete'],
    mutationFn: (report: { id: string }) => call(deleteReport, { params: report }),
    onSuccess: () => {
      onDeleted();
      client.removeQueries({ queryKey: keys.allReports, type: 'inactive' });
      void client.invalidateQueries({ queryKey: keys.reportStatistics });
      void client.invalidateQueries({ queryKey: ['audit'] });
    },
  });
  return (
    <Dialog
      title={t('Delete report #{id}?', { id: shortReportId(id) })}
      size="narrow"
      onClose={onClose}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <BusyButton isBusy={removal.isPending} busyText={t('Deleting...')} onClick={() => removal.mutate({ id })}>
            {t('Delete')}
          </BusyButton>
        </>
      }
    >
      {removal.error !== null && (
        <Notice kind="error">{t('Failed to delete the report: {error}', { error: t(removal.error.message) })}</Notice>
      )}
      <p>
        {t('It disappears from every list, for staff and for its reporter. The audit trail keeps that you did it.')}
      </p>
    </Dialog>
  );
}
