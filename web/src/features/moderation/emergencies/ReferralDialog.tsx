import type { BodyInput } from '#contract/endpoint.ts';
import { recordReferral } from '#contract/moderation/emergencies.ts';
import { call } from '../../../api/call.ts';
import { FormDialog } from '../../../ui/feedback/FormDialog.tsx';
import { TextArea, TextField } from '../../../ui/form/Field.tsx';
import { useForm } from '../../../ui/form/use-form.ts';
import { t } from '../../../ui/text/text.ts';
import { useSafetyCommand } from './queries.ts';

/** Records what was handed to an authority. */
export function ReferralDialog({ caseId, onClose }: { caseId: string; onClose: () => void }) {
  const record = useSafetyCommand(caseId, (body: BodyInput<typeof recordReferral>) =>
    call(recordReferral, { params: { id: caseId }, body }),
  );
  const form = useForm({
    initial: { authority: '', handedOver: '', legalBasis: '', on: new Date().toISOString().slice(0, 10) },
    schema: recordReferral.body,
    toBody: (values) => values,
    send: (body) => record.mutateAsync(body),
    onSent: onClose,
  });
  return (
    <FormDialog
      title={t('Record a referral')}
      form={form}
      sendText={t('Record')}
      busyText={t('Saving...')}
      onClose={onClose}
    >
      <TextField label={t('Authority')} required data-autofocus {...form.bind('authority')} />
      <TextArea label={t('What was handed over')} required rows={3} {...form.bind('handedOver')} />
      <TextField label={t('Legal basis')} required {...form.bind('legalBasis')} />
      <TextField label={t('Day')} type="date" required {...form.bind('on')} />
    </FormDialog>
  );
}
