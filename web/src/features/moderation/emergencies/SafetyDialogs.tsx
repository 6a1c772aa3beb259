import { t } from '@lingui/core/macro';
import { factsMinLength, listRules } from '#contract/moderation/decisions.ts';
import {
  emergencyKinds,
  preservationReviewDays,
  markEmergency,
  recordReferral,
  restrictionDays,
  setPreservation,
} from '#contract/moderation/emergencies.ts';
import { formOf } from '../../../api/endpoint-form.ts';
import { useEndpoint } from '../../../api/endpoint-query.ts';
import { FormDialog } from '../../../ui/feedback/FormDialog.tsx';
import { SelectField, TextArea, TextField } from '../../../ui/form/Field.tsx';
import { useForm } from '../../../ui/form/use-form.ts';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { emergencyWords } from '../cases/case-words.ts';

interface DialogProps {
  caseId: string;
  onClose: () => void;
}

/** Marks a case as an emergency. */
export function EmergencyDialog({ caseId, isRestricted, onClose }: DialogProps & { isRestricted: boolean }) {
  const { rules = [] } = useEndpoint(listRules).data ?? {};
  const form = useForm({
    initial: { kind: '', ruleId: '', facts: '' },
    ...formOf(markEmergency, { params: { id: caseId } }),
    onSent: onClose,
  });
  return (
    <FormDialog
      title={t`Mark as an emergency`}
      form={form}
      sendText={isRestricted ? t`Page` : t`Restrict and page`}
      onClose={onClose}
    >
      <Hint>
        {isRestricted
          ? t`The people on call are paged if this danger is new. The restriction stays as it is, and the person is not told again.`
          : t`The case is critical at once, and the people on call are paged. The person is hidden and can start no conversations for ${{ days: restrictionDays }} days, or until the decision. They are told and can appeal.`}
      </Hint>
      <SelectField
        label={t`What is it about?`}
        required
        choices={[
          { value: '', label: t`Choose` },
          ...emergencyKinds.map((value) => ({ value, label: t(emergencyWords[value]) })),
        ]}
        {...form.bind('kind')}
      />
      {!isRestricted && (
        <>
          <SelectField
            label={t`Rule`}
            required
            choices={[
              { value: '', label: t`Choose` },
              ...rules.map(({ _id, clause, title }) => ({ value: _id, label: `${clause}. ${title}` })),
            ]}
            {...form.bind('ruleId')}
          />
          <TextArea
            label={t`What the person reads`}
            description={t`At least ${{ count: factsMinLength }} characters. Leave out who reported.`}
            required
            rows={4}
            {...form.bind('facts')}
          />
        </>
      )}
    </FormDialog>
  );
}

/** Records what was given to an authority. */
export function ReferralDialog({ caseId, onClose }: DialogProps) {
  const form = useForm({
    initial: { authority: '', handedOver: '', legalBasis: '', on: new Date().toISOString().slice(0, 10) },
    ...formOf(recordReferral, { params: { id: caseId } }),
    onSent: onClose,
  });
  return (
    <FormDialog title={t`Record a referral`} form={form} sendText={t`Record`} onClose={onClose}>
      <TextField label={t`Authority`} required data-autofocus {...form.bind('authority')} />
      <TextArea label={t`What was handed over`} required rows={3} {...form.bind('handedOver')} />
      <TextField label={t`Legal basis`} required {...form.bind('legalBasis')} />
      <TextField label={t`Day`} type="date" required {...form.bind('on')} />
    </FormDialog>
  );
}

/** Sets a legal hold, or the day of its next review. */
export function PreservationDialog({ caseId, isSet, onClose }: DialogProps & { isSet: boolean }) {
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const form = useForm({
    initial: { reason: '', reviewOn: inDays(preservationReviewDays) },
    ...formOf(setPreservation, { params: { id: caseId } }),
    onSent: onClose,
  });
  return (
    <FormDialog
      title={isSet ? t`Keep the legal hold` : t`Set a legal hold`}
      form={form}
      sendText={t`Confirm`}
      onClose={onClose}
    >
      <Hint>
        {t`No reports of this case and no data of the person are deleted until two people release them, not even if they delete their account. They are not told.`}
      </Hint>
      <TextArea label={t`Reason`} required data-autofocus rows={3} {...form.bind('reason')} />
      <TextField label={t`Review on`} type="date" required {...form.bind('reviewOn')} />
    </FormDialog>
  );
}
