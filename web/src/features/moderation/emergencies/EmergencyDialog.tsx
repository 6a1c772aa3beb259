import { useQuery } from '@tanstack/react-query';
import { factsMinLength } from '#contract/moderation/decisions.ts';
import { emergencyKinds, markEmergency, restrictionDays } from '#contract/moderation/emergencies.ts';
import { call } from '../../../api/call.ts';
import { FormDialog } from '../../../ui/feedback/FormDialog.tsx';
import { SelectField, TextArea } from '../../../ui/form/Field.tsx';
import { useForm } from '../../../ui/form/use-form.ts';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { t } from '../../../ui/text/text.ts';
import { emergencyWords } from '../cases/case-words.ts';
import { rulesQuery } from '../cases/queries.ts';
import { useSafetyCommand } from './queries.ts';

/** Marks a case as an emergency. */
export function EmergencyDialog({ caseId, onClose }: { caseId: string; onClose: () => void }) {
  const { data: rules = [] } = useQuery(rulesQuery);
  const params = { id: caseId };
  const mark = useSafetyCommand(
    caseId,
    (body: { kind: (typeof emergencyKinds)[number]; ruleId: string; facts: string }) =>
      call(markEmergency, { params, body }),
  );
  const form = useForm({
    initial: { kind: '', ruleId: '', facts: '' },
    schema: markEmergency.body,
    toBody: (values) => values,
    send: (body) => mark.mutateAsync(body),
    onSent: onClose,
  });
  return (
    <FormDialog
      title={t('Mark as an emergency')}
      form={form}
      sendText={t('Restrict and page')}
      busyText={t('Saving...')}
      onClose={onClose}
    >
      <Hint>
        {t(
          'The case is critical at once, and the people on call are paged. The person is hidden and can start no conversations for {days} days, or until the decision. They are told and can appeal.',
          { days: restrictionDays },
        )}
      </Hint>
      <SelectField
        label={t('What is it about?')}
        required
        choices={[
          { value: '', label: t('Choose') },
          ...emergencyKinds.map((value) => ({ value, label: t(emergencyWords[value]) })),
        ]}
        {...form.bind('kind')}
      />
      <SelectField
        label={t('Rule')}
        required
        choices={[
          { value: '', label: t('Choose') },
          ...rules.map(({ _id, clause, title }) => ({ value: _id, label: `${clause}. ${title}` })),
        ]}
        {...form.bind('ruleId')}
      />
      <TextArea
        label={t('What the person reads')}
        description={t('At least {count} characters. Leave out who reported.', { count: factsMinLength })}
        required
        rows={4}
        {...form.bind('facts')}
      />
    </FormDialog>
  );
}
