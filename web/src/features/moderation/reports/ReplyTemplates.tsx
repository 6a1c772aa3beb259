import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { StaffReport } from '#contract/moderation/report.ts';
import { listReplyTemplates, type TemplateVariable } from '#contract/moderation/templates.ts';
import { call } from '../../../api/call.ts';
import { useMay } from '../../../api/session/permission.ts';
import { staffKeys } from '../../../api/staff-keys.ts';
import { SelectField } from '../../../ui/form/Field.tsx';
import { formatDate } from '../../../ui/text/format.ts';
import { t } from '../../../ui/text/text.ts';
import { rulesQuery } from '../cases/queries.ts';
import classes from './reports.module.css';

/** The templates in their current version. */
export const templatesQuery = queryOptions({
  queryKey: staffKeys.replyTemplates,
  queryFn: async ({ signal }) => (await call(listReplyTemplates, { signal })).data.templates,
});

const placeholder = /\{\w+\}/;

/** The first placeholder that is left to fill in; null if there is none. */
export function openPlaceholder(message: string): string | null {
  return placeholder.exec(message)?.[0] ?? null;
}

/** A template with its variables filled in; what has no value stays open. */
export function fillTemplate(text: string, values: Partial<Record<TemplateVariable, string>>): string {
  const known: Partial<Record<string, string>> = values;
  // At once and by a function, because a name may look like a placeholder.
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => known[name] ?? whole);
}

/** What a report fills in; the rule is chosen while writing. */
function valuesOf({ user, createdAt, problem_type }: StaffReport) {
  const firstName = user._id === null ? 'there' : (user.name.split(' ')[0] ?? 'there');
  return { firstName, date: formatDate(createdAt), type: problem_type };
}

interface ReplyTemplatesProps {
  report: StaffReport;
  message: string;
  onWrite: (message: string) => void;
}

/** Fills the reply from a template, and shows it as its reader will see it. */
export function ReplyTemplates({ report, message, onWrite }: ReplyTemplatesProps) {
  const [chosenId, setChosenId] = useState('');
  const templates = useQuery(templatesQuery).data ?? [];
  const needsRule = message.includes('{rule}');
  const rules = useQuery({ ...rulesQuery, enabled: useMay('cases.list') && needsRule });

  function choose(id: string) {
    setChosenId(id);
    const template = templates.find(({ _id }) => _id === id);
    if (template === undefined) return;
    const text = fillTemplate(template.text, valuesOf(report));
    onWrite(message.trim() === '' ? text : `${message.trimEnd()}\n\n${text}`);
  }

  return (
    <>
      <SelectField
        label={t('Template')}
        value={chosenId}
        choices={[
          { value: '', label: t('Write freely') },
          ...templates.map(({ _id, name }) => ({ value: _id, label: name })),
        ]}
        onChange={(event) => choose(event.currentTarget.value)}
      />
      {needsRule && (rules.data?.length ?? 0) > 0 && (
        <SelectField
          label={t('Rule')}
          value=""
          choices={[
            { value: '', label: t('Choose the rule to name') },
            ...(rules.data ?? []).map(({ _id, clause, title }) => ({ value: _id, label: `${clause}. ${title}` })),
          ]}
          onChange={({ currentTarget }) => {
            const rule = rules.data?.find(({ _id }) => _id === currentTarget.value);
            if (rule) onWrite(message.replaceAll('{rule}', () => `${rule.clause}. ${rule.title}`));
          }}
        />
      )}
    </>
  );
}

/** A reply as its reader will see it: from the team, without the name of who wrote it. */
export function ReplyPreview({ message }: { message: string }) {
  if (message.trim() === '') return null;
  return (
    <details className={classes.preview}>
      <summary>{t('Preview as the reporter sees it')}</summary>
      <p className={classes.who}>
        <strong>{t('Support team')}</strong>
      </p>
      <p className={classes.text} dir="auto">
        {message.trim()}
      </p>
    </details>
  );
}
