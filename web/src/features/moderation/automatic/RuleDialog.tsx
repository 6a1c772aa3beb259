import type { MessageDescriptor } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { Text } from '@mantine/core';
import { addAutomaticRule, type AutomaticRule, changeAutomaticRule } from '#contract/moderation/automatic-rules.ts';
import { reportPriorities, reportTypes, reportTypeWords } from '#contract/moderation/reports.ts';
import { comparisonWord, ruleFactNames, ruleFacts, ruleSentence } from '#contract/moderation/rule-words.ts';
import { listTags } from '#contract/moderation/tags.ts';
import { sendCommand } from '../../../api/endpoint-form.ts';
import { useEndpoint } from '../../../api/endpoint-query.ts';
import { FormDialog } from '../../../ui/feedback/FormDialog.tsx';
import { CheckField, SelectField, TextField } from '../../../ui/form/Field.tsx';
import { numberFrom } from '../../../ui/form/form-values.ts';
import { useForm } from '../../../ui/form/use-form.ts';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { fill } from '../../../ui/text/i18n.ts';
import { priorityWords } from '../reports/report-words.ts';

type Values = Record<string, string | boolean>;

const expiryDays = 180;
const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const choicesOf = <T extends string>(values: readonly T[], names: Record<T, MessageDescriptor>) =>
  values.map((value) => ({ value, label: t(names[value]) }));

/** Each fact has a number, which is empty if the rule doesn't ask for the fact. */
const initialOf = (rule: AutomaticRule | null): Values => ({
  name: rule?.name ?? '',
  ...Object.fromEntries(
    ruleFacts.map((fact) => [fact, String(rule?.conditions.find((condition) => condition.fact === fact)?.value ?? '')]),
  ),
  problem_type: rule?.actions.problem_type ?? 'Inappropriate Content',
  priority: rule?.actions.priority ?? 'high',
  tagId: rule?.actions.tagId ?? '',
  hold: rule?.actions.hold ?? false,
  expiresOn: rule?.isExpired === false ? rule.expiresOn : dayIn(expiryDays),
});

const askedFacts = (values: Values) => ruleFacts.filter((fact) => values[fact] !== '');

function bodyOf(values: Values) {
  const { name, tagId, problem_type, priority, hold, expiresOn } = values;
  const conditions = askedFacts(values).map((fact) => ({ fact, value: numberFrom(String(values[fact])) }));
  const holds = hold === true || priority === 'critical';
  const actions = { tagId: tagId === '' ? null : tagId, problem_type, priority, hold: holds };
  return { name, conditions, actions, expiresOn };
}

/** The form's field for one of the contract, such as `conditions.1.value` and `actions.tagId`. */
function fieldOf(field: string, values: Values): string {
  const [part, at, name] = field.split('.');
  if (part === 'conditions') return name === undefined ? ruleFacts[0] : (askedFacts(values)[Number(at)] ?? '');
  return part === 'actions' ? (at ?? 'tagId') : field;
}

/** Adds a rule, or changes one, which is then a new version that is switched off. */
export function RuleDialog({ rule, onClose }: { rule: AutomaticRule | null; onClose: () => void }) {
  const { tags = [] } = useEndpoint(listTags).data ?? {};
  const form = useForm({
    initial: initialOf(rule),
    schema: addAutomaticRule.body,
    toBody: bodyOf,
    fieldOf,
    send: (body): Promise<unknown> =>
      rule === null
        ? sendCommand(addAutomaticRule, { body })
        : sendCommand(changeAutomaticRule, { params: { id: rule._id }, body: { ...body, version: rule.version } }),
    onSent: onClose,
  });
  const { data: read } = addAutomaticRule.body.safeParse({ ...bodyOf(form.values), name: '-' });
  const tagChoices = tags.filter(({ isRetired }) => !isRetired).map(({ _id, name }) => ({ value: _id, label: name }));
  const tagName = tagChoices.find(({ value }) => value === form.values['tagId'])?.label ?? null;
  return (
    <FormDialog
      title={rule === null ? t`Add automatic rule` : t`Change “${{ name: rule.name }}”`}
      size="sheet"
      form={form}
      sendText={rule === null ? t`Save` : t`Save as a new version`}
      isLong
      onClose={onClose}
    >
      <TextField label={t`Name`} required data-autofocus {...form.bind('name')} />
      <Hint>{t`A person is hit if all of these hold. Leave out what does not matter.`}</Hint>
      {ruleFacts.map((fact) => (
        <TextField
          key={fact}
          label={`${t(ruleFactNames[fact])}: ${t(comparisonWord(fact))}`}
          inputMode="numeric"
          {...form.bind(fact)}
        />
      ))}
      <SelectField
        label={t`Open a case under`}
        choices={choicesOf(reportTypes, reportTypeWords)}
        {...form.bind('problem_type')}
      />
      <SelectField
        label={t`Priority`}
        choices={choicesOf(reportPriorities, priorityWords)}
        {...form.bind('priority')}
      />
      <SelectField label={t`Tag`} choices={[{ value: '', label: t`No tag` }, ...tagChoices]} {...form.bind('tagId')} />
      <CheckField
        label={t`Hold likes, notes and first messages until a person has decided, for 72 hours at most`}
        {...form.bindCheckbox('hold')}
        {...(form.values['priority'] === 'critical' && { checked: true, disabled: true })}
      />
      <TextField
        label={t`Last day`}
        type="date"
        required
        description={t`The rule ends by itself, so that someone looks at it again. At most a year from today.`}
        {...form.bind('expiresOn')}
      />
      {read !== undefined && <Text fw={600}>{ruleSentence(read.conditions, { ...read.actions, tagName }, fill)}</Text>}
    </FormDialog>
  );
}
