import { Button, NativeSelect, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type KeyboardEvent, useId, useRef, useState } from 'react';
import { reasonMaxLength } from '#contract/constants.ts';
import { reportPriorities, type ReportPriority, type StaffReport } from '#contract/moderation/report.ts';
import { changeReport, deleteReport } from '#contract/moderation/reports.ts';
import { call } from '../../../api/call.ts';
import { keys } from '../../../api/keys.ts';
import { Dialog } from '../../../ui/feedback/Dialog.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { t } from '../../../ui/text/text.ts';
import { commandKey, putReport, reloadReports } from './report-data.ts';
import { priorityWords, shortReportId } from './report-words.ts';
import classes from './report.module.css';

interface DeleteReportDialogProps {
  id: string;
  onDeleted: () => void;
  onClose: () => void;
}

/** Asks for confirmation before a report is deleted. */
export function DeleteReportDialog({ id, onDeleted, onClose }: DeleteReportDialogProps) {
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
        {t(
          'It disappears from all lists, for staff and for the reporter. The audit trail records that you deleted it.',
        )}
      </p>
    </Dialog>
  );
}

interface Change {
  id: string;
  priority: ReportPriority;
  reason: string;
}

/** Changes the priority of a report, with a reason. */
export function PriorityDialog({ report, onClose }: { report: StaffReport; onClose: () => void }) {
  const client = useQueryClient();
  const formId = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [priority, setPriority] = useState(report.priority);
  const [reason, setReason] = useState('');
  const [isMissing, setMissing] = useState(false);
  const change = useMutation({
    mutationKey: [...commandKey, 'priority'],
    mutationFn: ({ id, ...body }: Change) => call(changeReport, { params: { id }, body }),
    onSuccess: ({ data }) => {
      putReport(client, data.report);
      reloadReports(client, report._id);
      onClose();
    },
  });

  function submit(event: FormEvent) {
    event.preventDefault();
    if (change.isPending) return;
    if (reason.trim() === '') {
      setMissing(true);
      field.current?.focus();
      return;
    }
    change.mutate({ id: report._id, priority, reason: reason.trim() });
  }

  function sendByKeys(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
  }

  return (
    <Dialog
      title={t('Change the priority of report #{id}', { id: shortReportId(report._id) })}
      size="narrow"
      onClose={onClose}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <BusyButton
            type="submit"
            form={formId}
            isBusy={change.isPending}
            busyText={t('Saving...')}
            disabled={priority === report.priority}
          >
            {t('Save')}
          </BusyButton>
        </>
      }
    >
      <form id={formId} noValidate className={classes.form} onSubmit={submit}>
        {change.error !== null && (
          <Notice kind="error">
            {t('Failed to change the priority: {error}', { error: t(change.error.message) })}
          </Notice>
        )}
        <NativeSelect
          label={t('Priority')}
          description={t('It decides when the first answer is due.')}
          data-autofocus
          value={priority}
          data={reportPriorities.map((value) => ({ value, label: t(priorityWords[value]) }))}
          onChange={(event) => setPriority(event.currentTarget.value as ReportPriority)}
        />
        <Textarea
          ref={field}
          label={t('Reason')}
          description={t('Kept in the timeline and the audit trail.')}
          error={isMissing && t('Please give a reason')}
          value={reason}
          rows={3}
          required
          maxLength={reasonMaxLength}
          onChange={(event) => {
            setReason(event.currentTarget.value);
            setMissing(false);
          }}
          onKeyDown={sendByKeys}
        />
      </form>
    </Dialog>
  );
}
