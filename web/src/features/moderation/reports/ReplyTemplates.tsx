import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { StaffReport } from '#contract/moderation/reports.ts';
import type { Rule } from '#contract/moderation/decisions.ts';
import { listReplyTemplates, type TemplateKind, type TemplateVariable } from '#contract/moderation/templates.ts';
import { call } from '../../../api/call.ts';
import { useMay } from '../../../api/session/permission.ts';
import { staffKeys } from '../../../api/staff-keys.ts';
import { SelectField } from '../../../ui/form/Field.tsx';
import { formatDate } from '../../../ui/text/format.ts';
import { rulesQuery } from '../cases/queries.ts';
import classes from './reports.module.css';
import { UserText } from '../../../ui/data/RichText.tsx';

/** The templates in their current version. */
export const templatesQuery = queryOptions({
  queryKey: staffKeys.replyTemplates,
  queryFn: async ({ signal }) => (await call(listReplyTemplates, { signal })).data.templates,
});

/** Fills in the variables of a template. Variables without a value are kept. */
export function fillTemplate(text: string, values: Partial<Record<TemplateVariable, string>>): string {
  const known: Partial<Record<string, string>> = values;
  // All in one pass and with a function, because a name may look like a placeholder.
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => known[name] ?? whole);
}

/** The values from a report; the rule is chosen while writing. */
export function valuesOf({ user, createdAt, problem_type }: StaffReport) {
  const firstName = user._id === null ? 'there' : (user.name.split(' ')[0] ?? 'there');
  return { firstName, date: formatDate(createdAt), type: problem_type };
}

/** The values for several reports that are answered together: only those that all of them share. */
export function sharedValues(reports: readonly StaffReport[]): Partial<Record<TemplateVariable, string>> {
  const [first, ...others] = reports.map(valuesOf);
  if (first === undefined) return {};
  const isShared = (name: keyof typeof first) => others.every((one) => one[name] === first[name]);
  return {
    firstName: isShared('firstName') ? first.firstName : 'there',
    ...(isShared('date') && { date: first.date }),
    ...(isShared('type') && { type: first.type }),
  };
}

/** The name of a rule in templates. */
export const ruleName = ({ clause, title }: Pick<Rule, 'clause' | 'title'>) => `${clause}. ${title}`;

interface TemplateChoiceProps {
  kind: TemplateKind;
  label: string;
  values: Partial<Record<TemplateVariable, string>>;
  message: string;
  onWrite: (message: string) => void;
}

/**
 * A menu of templates to insert. Text that has already been written is kept before the template; the one chosen before is replaced
 * unless it was changed.
 */
export function TemplateChoice({ kind, label, values, message, onWrite }: TemplateChoiceProps) {
  const [chosenId, setChosenId] = useState('');
  const [inserted, setInserted] = useState('');
  const templates = (useQuery(templatesQuery).data ?? []).filter((one) => one.kind === kind);

  function choose(id: string) {
    setChosenId(id);
    const template = templates.find(({ _id }) => _id === id);
    if (template === undefined) return;
    const text = fillTemplate(template.text, values);
    const own = (
      inserted !== '' && message.endsWith(inserted) ? message.slice(0, -inserted.length) : message
    ).trimEnd();
    setInserted(text);
    onWrite(own === '' ? text : `${own}\n\n${text}`);
  }

  if (templates.length === 0) return null;
  return (
    <SelectField
      label={label}
      value={chosenId}
      choices={[
        { value: '', label: t`Write freely` },
        ...templates.map(({ _id, name }) => ({ value: _id, label: name })),
      ]}
      onChange={(event) => choose(event.currentTarget.value)}
    />
  );
}

type ReplyTemplatesProps = Pick<TemplateChoiceProps, 'values' | 'message' | 'onWrite'>;

/** Menus that insert a template into the reply and fill in the name of a rule. */
export function ReplyTemplates({ values, message, onWrite }: ReplyTemplatesProps) {
  const needsRule = message.includes('{rule}');
  const rules = useQuery({ ...rulesQuery, enabled: useMay('cases.list') && needsRule });
  return (
    <>
      <TemplateChoice kind="reply" label={t`Template`} values={values} message={message} onWrite={onWrite} />
      {needsRule && (rules.data?.length ?? 0) > 0 && (
        <SelectField
          label={t`Rule`}
          value=""
          choices={[
            { value: '', label: t`Choose the rule to cite` },
            ...(rules.data ?? []).map((rule) => ({ value: rule._id, label: ruleName(rule) })),
          ]}
          onChange={({ currentTarget }) => {
            const rule = rules.data?.find(({ _id }) => _id === currentTarget.value);
            if (rule) onWrite(message.replaceAll('{rule}', () => ruleName(rule)));
          }}
        />
      )}
    </>
  );
}

const previewWords: Record<TemplateKind, { title: MessageDescriptor; heading: MessageDescriptor }> = {
  reply: { title: msg`Preview as the reporter sees it`, heading: msg`Support team` },
  message: { title: msg`Preview as the member sees it`, heading: msg`Support team` },
  answer: { title: msg`Preview as the reporter sees it`, heading: msg`Support team` },
  facts: { title: msg`Preview as the person sees it`, heading: msg`What we found` },
};

/** Shows a message as its recipient will see it: from the team, without the author's name. */
export function TextPreview({ kind = 'reply', message }: { kind?: TemplateKind; message: string }) {
  if (message.trim() === '') return null;
  return (
    <details className={classes.preview}>
      <summary>{t(previewWords[kind].title)}</summary>
      <p className={classes.who}>
        <strong>{t(previewWords[kind].heading)}</strong>
      </p>
      <UserText>{message.trim()}</UserText>
    </details>
  );
}
