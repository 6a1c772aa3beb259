import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Language, languageNames } from '#contract/languages.ts';
import { reportTypeWords } from '#contract/moderation/reports.ts';
import type { StaffReport } from '#contract/moderation/staff-reports.ts';
import { listRules, type Rule } from '#contract/moderation/decisions.ts';
import { shippedWords } from '#contract/moderation/shipped-rules.ts';
import {
  listReplyTemplates,
  type ReplyTemplate,
  type TemplateKind,
  type TemplateVariable,
} from '#contract/moderation/templates.ts';
import { useEndpoint } from '../../../api/endpoint-query.ts';
import { call } from '../../../api/call.ts';
import { useMay } from '../../../api/session/permission.ts';
import { SelectField } from '../../../ui/form/Field.tsx';
import { ChoiceGroup } from '../../../ui/form/Form.tsx';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { wordsIn } from '../../../ui/text/catalogues.ts';
import { languageName } from '../../../ui/text/detail-words.ts';
import { formatDate } from '../../../ui/text/format.ts';
import { language, regionalTag } from '../../../ui/text/text.ts';
import classes from './reports.module.css';
import { UserText } from '../../../ui/data/RichText.tsx';

/** Returns a text in a certain language. */
export type Say = Awaited<ReturnType<typeof wordsIn>>;
/** The language of a template, and the function that translates into it. */
type Spoken = Pick<ReplyTemplate, 'language'> & { say: Say };
type Values = Partial<Record<TemplateVariable, string>>;

/** The templates in their current version. */
export const templatesQuery = queryOptions({
  queryKey: [listReplyTemplates.path],
  queryFn: async ({ signal }): Promise<(ReplyTemplate & Spoken)[]> => {
    const { templates } = (await call(listReplyTemplates, { signal })).data;
    return await Promise.all(templates.map(async (one) => ({ ...one, say: await wordsIn(one.language) })));
  },
});

/** Fills in the variables of a template: an empty value together with the space before it. Variables without one are kept. */
export function fillTemplate(text: string, values: Values): string {
  const known: Partial<Record<string, string>> = values;
  // All in one pass and with a function, because a name may look like a placeholder.
  return text.replaceAll(/( ?)\{(\w+)\}/g, (whole, space: string, name: string) => {
    const value = known[name];
    return value === undefined ? whole : value && space + value;
  });
}

/** The values from a report in the language of a template; the rule is chosen while writing. */
export function valuesOf({ user, createdAt, problem_type }: StaffReport, of: Spoken) {
  return {
    firstName: user._id === null ? '' : (user.name.split(' ')[0] ?? ''),
    date: formatDate(createdAt, regionalTag(of.language, navigator.languages)),
    type: of.say(reportTypeWords[problem_type]),
  };
}

/** The values for several reports that are answered together: only those that all of them share. */
export function sharedValues(reports: readonly StaffReport[], of: Spoken): Values {
  const [first, ...others] = reports.map((one) => valuesOf(one, of));
  if (first === undefined) return {};
  const isShared = (name: keyof typeof first) => others.every((one) => one[name] === first[name]);
  return {
    firstName: isShared('firstName') ? first.firstName : '',
    ...(isShared('date') && { date: first.date }),
    ...(isShared('type') && { type: first.type }),
  };
}

/** The name of a rule in templates, in their language, as long as the title is still the translated one. */
export function ruleName(rule: Pick<Rule, 'clause' | 'version' | 'title'>, say: Say = (text) => t(text)): string {
  const shipped = shippedWords(rule);
  return `${rule.clause}. ${shipped ? say(shipped.title) : rule.title}`;
}

/** People read different languages if none is given. */
type Reader = { name: string; language?: Language | undefined } | undefined;

/** The reader of the answers to several reports: any of the reporters if they all read the same language. */
export const sharedReader = ([first, ...others]: readonly StaffReport[]): Reader =>
  others.every(({ user }) => user.language === first?.user.language) ? first?.user : undefined;

interface TemplateChoiceProps {
  kind: TemplateKind;
  label: string;
  reader: Reader;
  values: (of: Spoken) => Values;
  message: string;
  onWrite: (message: string, of: Spoken) => void;
}

/**
 * Templates to insert: first those in the reader's language (English if the readers have several), then those of other languages
 * that have no counterpart of the same name, with their language. Text that has already been written is kept in front of the template. A
 * template chosen earlier is replaced unless it was changed.
 */
export function TemplateChoice({ kind, label, reader, values, message, onWrite }: TemplateChoiceProps) {
  const [chosenId, setChosenId] = useState('');
  const [inserted, setInserted] = useState('');
  const all = (useQuery(templatesQuery).data ?? []).filter((one) => one.kind === kind);
  const own = all.filter((one) => one.language === (reader?.language ?? 'en'));
  const templates = [...own, ...all.filter((one) => !own.some(({ name }) => name === one.name))];

  function choose(id: string) {
    setChosenId(id);
    const template = templates.find(({ _id }) => _id === id);
    if (template === undefined) return;
    const text = fillTemplate(template.text, values(template));
    const before = (
      inserted !== '' && message.endsWith(inserted) ? message.slice(0, -inserted.length) : message
    ).trimEnd();
    setInserted(text);
    onWrite(before === '' ? text : `${before}\n\n${text}`, template);
  }

  return (
    <>
      {reader?.language !== undefined && reader.language !== language && (
        <Hint>{t`${{ name: reader.name }} reads ${{ language: languageName(reader.language) }}.`}</Hint>
      )}
      {templates.length > 0 && (
        <div className={classes.templates}>
          <ChoiceGroup
            type="radio"
            name={`template-${kind}`}
            legend={label}
            isRow="chips"
            chosen={inserted !== '' && message.endsWith(inserted) ? [chosenId] : []}
            choices={templates.map((one) => ({
              value: one._id,
              label: one.language === reader?.language ? one.name : `${one.name} (${languageNames[one.language]})`,
            }))}
            onChange={([id = '']) => choose(id)}
          />
        </div>
      )}
    </>
  );
}

type ReplyTemplatesProps = Pick<TemplateChoiceProps, 'reader' | 'values' | 'message'> & {
  onWrite: (message: string) => void;
};

/** Menus that insert a template into the reply and fill in the name of a rule. */
export function ReplyTemplates({ reader, values, message, onWrite }: ReplyTemplatesProps) {
  const [say, setSay] = useState<Say>();
  const needsRule = message.includes('{rule}');
  const isRuleShown = useMay('cases.list') && needsRule;
  const { rules = [] } = useEndpoint(listRules, {}, { enabled: isRuleShown }).data ?? {};
  return (
    <>
      <TemplateChoice
        kind="reply"
        label={t`Template`}
        reader={reader}
        values={values}
        message={message}
        onWrite={(text, of) => {
          setSay(() => of.say);
          onWrite(text);
        }}
      />
      {needsRule && rules.length > 0 && (
        <SelectField
          label={t`Rule`}
          value=""
          choices={[
            { value: '', label: t`Choose the rule to cite` },
            ...rules.map((rule) => ({ value: rule._id, label: ruleName(rule) })),
          ]}
          onChange={({ currentTarget }) => {
            const rule = rules.find(({ _id }) => _id === currentTarget.value);
            if (rule) onWrite(message.replaceAll('{rule}', () => ruleName(rule, say)));
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
