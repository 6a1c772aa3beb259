import { plural, t } from '@lingui/core/macro';
import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { reasonMaxLength } from '#contract/constants.ts';
import { requestApproval } from '#contract/profiles/approvals.ts';
import { exportAloneMax, exportSelected, exportUsers } from '#contract/profiles/staff.ts';
import { type ExportColumn, exportColumnNames, exportColumns } from '#contract/profiles/user-filters.ts';
import { errorCode } from '../../../api/api-error.ts';
import { call, callForFile } from '../../../api/call.ts';
import { saveFile } from '../../../ui/data/save-file.ts';
import { FormDialog } from '../../../ui/feedback/FormDialog.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { TextArea } from '../../../ui/form/Field.tsx';
import { ChoiceGroup } from '../../../ui/form/Form.tsx';
import { useForm } from '../../../ui/form/use-form.ts';
import { formatNumber } from '../../../ui/text/format.ts';
import { unitsFor } from '../../../ui/text/text.ts';
import type { Chosen } from './bulk/use-user-selection.ts';

/** Downloads an export under the name that the server gives it. */
export async function saveExport(file: ReturnType<typeof callForFile>): Promise<void> {
  const { blob, name } = await file;
  saveFile(blob, name ?? 'users.csv');
}

interface ExportDialogProps {
  chosen: Chosen;
  /** The columns that are chosen at first. */
  columns: readonly ExportColumn[];
  /** Called with a message after a request for approval, or with null after a download. */
  onDone: (text: string | null) => void;
  onClose: () => void;
}

/** Asks for the columns and the reason of an export; for many people, it requests a second administrator's approval. */
export function ExportDialog({ chosen, columns: first, onDone, onClose }: ExportDialogProps) {
  const { selection, count } = chosen;
  const [columns, setColumns] = useState(first);
  const [isRefused, setRefused] = useState(false);
  const shown = formatNumber(count);
  const needsApproval = count > exportAloneMax || isRefused;

  async function send(reason: string) {
    const asked = { columns: [...columns], reason };
    if (needsApproval)
      await call(requestApproval, { body: { kind: 'users.export', filters: {}, ...selection, ...asked } });
    else if ('ids' in selection) await saveExport(callForFile(exportSelected, { body: { ...selection, ...asked } }));
    else
      await saveExport(
        callForFile(exportUsers, { query: { ...selection.filters, ...asked, columns: columns.join(',') } }),
      );
  }

  const form = useForm({
    initial: { reason: '' },
    schema: exportSelected.body.shape.reason,
    toBody: ({ reason }) => reason,
    fieldOf: () => 'reason',
    check: () => (columns.length === 0 ? [{ field: 'columns', msg: t`Choose at least one column` }] : []),
    send: async (reason) => {
      try {
        await send(reason);
      } catch (error) {
        if (errorCode(error) === 'APPROVAL_REQUIRED') setRefused(true);
        throw error;
      }
    },
    onSent: () =>
      onDone(needsApproval ? t`Asked for approval. You can follow it, and download the file, on the Team page.` : null),
  });
  return (
    <FormDialog
      title={t`Export ${plural(count, { one: '# user', other: `${shown} users` })}`}
      form={form}
      sendText={needsApproval ? t`Ask for approval` : t`Export`}
      busyText={needsApproval ? t`Sending...` : t`Exporting...`}
      isDisabled={columns.length === 0}
      isLong
      onClose={onClose}
    >
      {needsApproval && (
        <Notice kind="info" isNews={false}>
          {t`A second administrator approves exports of more than ${{ count: formatNumber(exportAloneMax) }} users within 24 hours. If there is none, you can download it after 24 hours, and an email tells you about it.`}
        </Notice>
      )}
      <ChoiceGroup
        type="checkbox"
        name="columns"
        legend={t`Columns`}
        choices={exportColumnNames.map((value) => ({ value, label: t(exportColumns[value]) }))}
        chosen={columns}
        isRow="even"
        error={columns.length === 0 ? t`Choose at least one column` : undefined}
        onChange={setColumns}
      />
      <Group gap="0.5rem">
        <Button variant="subtle" size="compact-sm" onClick={() => setColumns(exportColumnNames)}>
          {t`All`}
        </Button>
        <Button variant="subtle" size="compact-sm" onClick={() => setColumns([])}>
          {t`None`}
        </Button>
      </Group>
      <TextArea
        label={t`Reason`}
        description={t`Saved in the audit trail, with the number of rows and the hash of the file.`}
        required
        rows={2}
        maxLength={unitsFor(reasonMaxLength)}
        {...form.bind('reason')}
      />
    </FormDialog>
  );
}
