import { Button } from '@mantine/core';
import { useState } from 'react';
import { goldenStoryMin } from '#contract/moderation/second-looks.ts';
import { type ReportType, reportTypes } from '#contract/moderation/reports.ts';
import { ReasonDialog } from '../../../ui/feedback/ReasonDialog.tsx';
import { SelectField } from '../../../ui/form/Field.tsx';
import { t } from '../../../ui/text/text.ts';
import { useAddGolden } from './queries.ts';

const storyMax = 3000;

/** A button below a decision, with which a senior keeps the case for training. */
export function KeepForTraining({ decisionId }: { decisionId: string }) {
  const [isOpen, setOpen] = useState(false);
  const [type, setType] = useState<ReportType>('Harassment');
  const add = useAddGolden();
  const close = () => setOpen(false);
  return (
    <>
      <Button variant="default" size="xs" onClick={() => setOpen(true)}>
        {t('Keep for training')}
      </Button>
      {isOpen && (
        <ReasonDialog
          title={t('Keep for training')}
          size="sheet"
          description={t('Tell what happened, without names or anything else by which someone could be recognized.')}
          confirm={t('Keep')}
          busyText={t('Saving...')}
          command={add}
          minLength={goldenStoryMin}
          maxLength={storyMax}
          onConfirm={(story) => add.mutate({ decisionId, problem_type: type, story }, { onSuccess: close })}
          onClose={close}
        >
          <SelectField
            label={t('Type')}
            value={type}
            choices={reportTypes.map((value) => ({ value, label: t(value) }))}
            onChange={({ currentTarget: { value } }) => setType(reportTypes.find((one) => one === value) ?? 'Other')}
          />
        </ReasonDialog>
      )}
    </>
  );
}
