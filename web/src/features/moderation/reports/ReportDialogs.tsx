import { t } from '@lingui/core/macro';
import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { reportPriorities, type ReportPriority } from '#contract/moderation/reports.ts';
import { type StaffReport, changeReport, deleteReport, listReports } from '#contract/moderation/staff-reports.ts';
import { queryClient } from '../../../api/query-client.ts';
import { useCommand } from '../../../api/endpoint-query.ts';
import { ConfirmDialog } from '../../../ui/feedback/FormDialog.tsx';
import { ReasonDialog } from '../../../ui/feedback/ReasonDialog.tsx';
import { commandKey, putReport, reloadReports } from './report-data.ts';
import { priorityWords, shortReportId } from './report-words.ts';

interface DeleteReportDialogProps {
  id: string;
  onDeleted: () => void;
  onClose: () => void;
}

/** Asks for confirmation before a report is deleted. */
export function DeleteReportDialog({ id, onDeleted, onClose }: DeleteReportDialogProps) {
  const removal = useCommand(deleteReport, (report: { id: string }) => ({ params: report }), {
    mutationKey: [...commandKey, 'delete'],
    onSuccess: () => {
      onDeleted();
      queryClient.removeQueries({ queryKey: [listReports.path], type: 'inactive' });
    },
  });
  return (
    <ConfirmDialog
      title={t`Delete report #${{ id: shortReportId(id) }}?`}
      confirmText={t`Delete`}
      busyText={t`Deleting...`}
      command={removal}
      errorText={(error) => t`Failed to delete the report: ${error}`}
      onConfirm={() => removal.mutate({ id })}
      onClose={onClose}
    >
      {t`It disappears from all lists, for staff and for the reporter. The audit trail records that you deleted it.`}
    </ConfirmDialog>
  );
}

interface Change {
  id: string;
  priority: ReportPriority;
  reason: string;
}

/** Changes the priority of a report, with a reason. */
export function PriorityDialog({ report, onClose }: { report: StaffReport; onClose: () => void }) {
  const [priority, setPriority] = useState(report.priority);
  const change = useCommand(changeReport, ({ id, ...body }: Change) => ({ params: { id }, body }), {
    mutationKey: [...commandKey, 'priority'],
    onSuccess: (data) => {
      putReport(data.report);
      reloadReports(report._id);
      onClose();
    },
  });

  return (
    <ReasonDialog
      title={t`Change the priority of report #${{ id: shortReportId(report._id) }}`}
      description={t`Kept in the timeline and the audit trail.`}
      confirm={t`Save`}
      command={change}
      isDisabled={priority === report.priority}
      errorText={(error) => t`Failed to change the priority: ${error}`}
      onConfirm={(reason) => change.mutate({ id: report._id, priority, reason })}
      onClose={onClose}
    >
      <NativeSelect
        label={t`Priority`}
        description={t`The priority decides when the first answer is due.`}
        data-autofocus
        value={priority}
        data={reportPriorities.map((value) => ({ value, label: t(priorityWords[value]) }))}
        onChange={(event) => setPriority(event.currentTarget.value as ReportPriority)}
      />
    </ReasonDialog>
  );
}
