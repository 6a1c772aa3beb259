import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { StaffReport } from '#contract/moderation/report.ts';
import { useMay } from '../../../api/session/permission.ts';
import { SelectField } from '../../../ui/form/Field.tsx';
import { formatDate } from '../../../ui/text/format.ts';
import { t } from '../../../ui/text/text.ts';
import { rulesQuery } from '../cases/queries.ts';
import classes from './reports.module.css';

interface Template {
  name: string;
  text: string;
}

/** Common replies. `{firstName}`, `{date}` and `{type}` are the report's; `{rule}` is chosen from the community rules. */
const templates: readonly Template[] = [
  {
    name: 'We are looking into it',
    text: 'Hi {firstName}, thank you for your report of {date}. We are looking into it and will write to you again when we have decided.',
  },
  {
    name: 'Ask for details',
    text: 'Hi {firstName}, thank you for your report of {date}. To look into it, we need a little more: what happened, where in the app, and when? You can answer right here.',
  },
  {
    name: 'Explain a rule',
    text: 'Hi {firstName}, thank you for writing to us on {date}. This is how we handle it: our rule "{rule}" says what is and is not allowed. If you see it broken again, please report it.',
  },
  {
    name: 'Stay safe',
    text: 'Hi {firstName}, thank you for telling us. You can block this person at any time: they are not notified, and you no longer see each other. If you feel threatened, please also contact the police.',
  },
  {
    name: 'Technical problem fixed',
    text: 'Hi {firstName}, the problem that you reported on {date} ({type}) is fixed. Please reload the app, and tell us if you still see it.',
  },
];

const placeholder = /\{\w+\}/;

/** The first placeholder that is left to fill in; null if there is none. */
export function openPlaceholder(message: string): string | null {
  return placeholder.exec(message)?.[0] ?? null;
}

function filled(text: string, { user, createdAt, problem_type }: StaffReport): string {
  const firstName = user._id === null ? 'there' : (user.name.split(' ')[0] ?? 'there');
  const values: Record<string, string> = { firstName, date: formatDate(createdAt), type: problem_type };
  // At once and by a function, because a name may look like a placeholder.
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}

interface ReplyTemplatesProps {
  report: StaffReport;
  message: string;
  onWrite: (message: string) => void;
}

/** Fills the reply from a template, and shows it as its reader will see it. */
export function ReplyTemplates({ report, message, onWrite }: ReplyTemplatesProps) {
  const [name, setName] = useState('');
  const needsRule = message.includes('{rule}');
  const rules = useQuery({ ...rulesQuery, enabled: useMay('cases.list') && needsRule });

  function choose(chosen: string) {
    setName(chosen);
    const template = templates.find((one) => one.name === chosen);
    if (template === undefined) return;
    const text = filled(template.text, report);
    onWrite(message.trim() === '' ? text : `${message.trimEnd()}\n\n${text}`);
  }

  return (
    <>
      <SelectField
        label={t('Template')}
        value={name}
        choices={[
          { value: '', label: t('Write freely') },
          ...templates.map((one) => ({ value: one.name, label: t(one.name) })),
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
