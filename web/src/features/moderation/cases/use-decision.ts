import { t } from '@lingui/core/macro';
import { useMemo, useState } from 'react';
import { type CaseFile, decideCase } from '#contract/moderation/cases.ts';
import {
  type DecisionOutcome,
  decisionOutcomes,
  decisionSources,
  type GivenContent,
  moderatorSanctionDays,
  type SanctionKind,
  sanctionKinds,
  listRules,
} from '#contract/moderation/decisions.ts';
import { againAnswer, usualAnswers } from '#contract/moderation/usual-answers.ts';
import { formOf } from '../../../api/endpoint-form.ts';
import { useEndpoint } from '../../../api/endpoint-query.ts';
import { useMay } from '../../../api/session/permission.ts';
import { numberFrom } from '../../../ui/form/form-values.ts';
import { useForm } from '../../../ui/form/use-form.ts';
import { ruleName, type Say } from '../reports/ReplyTemplates.tsx';
import { hasReporter, isOpenReport } from './case-words.ts';
import { removableContent } from './ContentChoice.tsx';

const initialValues = () => ({
  outcome: 'actioned',
  ruleId: '',
  facts: '',
  source: 'notice',
  isDetectionAutomated: false,
  answer: t(usualAnswers.actioned),
  warn: false,
  remove_content: false,
  /** The content to remove, one item per line. */
  contents: '',
  /** The pictures that their owner does not get back, one per line. */
  withheld: '',
  limit_messaging: false,
  hide_profile: false,
  suspend: false,
  ban: false,
  days: '7',
});
type Values = ReturnType<typeof initialValues>;

const withEnd: readonly SanctionKind[] = ['limit_messaging', 'hide_profile', 'suspend'];
/** The request body. Without a violation, the fields that only apply to one are left out. */
function toBody(values: Values, removable: ReturnType<typeof removableContent>) {
  const { outcome, ruleId, facts, source, isDetectionAutomated, answer, days } = values;
  // Without an answer, reporters read the standard one in their own languages.
  const isUsual = decisionOutcomes.some((one) => one === outcome && answer === t(usualAnswers[one]));
  const shared = { outcome, source, ...(isUsual ? {} : { answer }), ...(facts.trim() !== '' && { facts }) };
  if (outcome !== 'actioned') return shared;
  const sanctions = sanctionKinds
    .filter((kind) => values[kind])
    .flatMap((kind): { kind: SanctionKind; content?: GivenContent }[] =>
      kind === 'remove_content'
        ? removable
            .filter(({ id }) => linesOf(values.contents).includes(id))
            .map(({ id, content }) => ({
              kind,
              content: { ...content, ...(linesOf(values.withheld).includes(id) && { isWithheld: true }) },
            }))
        : [{ kind }],
    )
    .map((one) => ({ ...one, ...(withEnd.includes(one.kind) && days !== '' && { days: numberFrom(days) }) }));
  return { ...shared, isDetectionAutomated, sanctions, ...(ruleId !== '' && { ruleId }) };
}

/** Whether one of the chosen measures ends after a number of days. */
export const hasEnd = (values: Values) => withEnd.some((kind) => values[kind]);
export const hasMeasure = (values: Values) => sanctionKinds.some((kind) => values[kind]);
export const linesOf = (text: string) => text.split('\n').filter((id) => id !== '');

/** Errors that the contract's schema does not check. */
function faultsOf(values: Values, mayLong: boolean) {
  if (values.outcome !== 'actioned') return [];
  const lacksContent = values.remove_content && linesOf(values.contents).length === 0;
  const isLong = hasEnd(values) && (values.days === '' || numberFrom(values.days) > moderatorSanctionDays);
  return [
    ...(lacksContent ? [{ field: 'remove_content', msg: t`Choose what to remove` }] : []),
    ...(isLong && !mayLong ? [{ field: 'days', msg: t`Choose a week at most, or escalate the case` }] : []),
  ];
}

/** The start of the answer to reporters who have been answered before. */
function againAnswersOf({ reports, decisions }: CaseFile, outcome: DecisionOutcome): string[] {
  const found = reports.filter(isOpenReport).map(({ _id }) => {
    const earlier = decisions.find((one) => one.reportIds.includes(_id) && (one.kind === 'full' || !one.isUndone));
    const again = againAnswer(earlier, outcome);
    return again && t(again);
  });
  return [...new Set(found)].filter((one) => one !== null);
}

/**
 * The state of the decision form: its fields from `useForm`, values derived from them, and the changes that choosing
 * one field makes to others.
 */
export function useDecision(file: CaseFile, onSent: () => void) {
  const { _id: caseId } = file.case;
  // A case without reports was opened by a comparison with banned accounts.
  const hasReports = file.reports.length > 0;
  const open = file.reports.filter(isOpenReport);
  const hasReporters = open.some((report) => hasReporter(report) || report.source === 'outsider');
  const mayLong = useMay('sanctions.long');
  const { rules = [] } = useEndpoint(listRules).data ?? {};
  const removable = useMemo(() => removableContent(file.evidence), [file.evidence]);
  const form = useForm({
    initial: {
      ...initialValues(),
      source: hasReports && (open.length === 0 || hasReporters) ? 'notice' : 'own_initiative',
      isDetectionAutomated: open.length > 0 ? open.every(({ source }) => source === 'automatic') : !hasReports,
    },
    draft: `decision:${caseId}`,
    ...formOf(decideCase, { params: { id: caseId } }),
    toBody: (values) => toBody(values, removable),
    check: (values) => faultsOf(values, mayLong),
    fieldOf: (field, values) => {
      if (!field.startsWith('sanctions')) return field;
      if (!hasMeasure(values)) return sanctionKinds[0];
      return hasEnd(values) ? 'days' : field;
    },
    onSent,
  });
  const [says, setSays] = useState<Partial<Record<'facts' | 'answer', Say>>>({});
  const { values } = form;
  const rule = rules.find(({ _id }) => _id === values.ruleId);
  const outcome = decisionOutcomes.find((one) => one === values.outcome) ?? 'actioned';

  /** Inserts a template's text; a rule that is chosen later gets its name in the same language. */
  function write(field: 'facts' | 'answer', text: string, say: Say) {
    setSays((before) => ({ ...before, [field]: say }));
    form.set(field, text);
  }

  function chooseOutcome(next: string) {
    const chosen = decisionOutcomes.find((one) => one === next) ?? 'actioned';
    if (values.answer === t(usualAnswers[outcome])) form.set('answer', t(usualAnswers[chosen]));
    form.set('outcome', chosen);
  }

  function chooseRule(id: string) {
    form.set('ruleId', id);
    const chosen = rules.find(({ _id }) => _id === id);
    if (chosen === undefined) return;
    for (const field of ['facts', 'answer'] as const)
      if (values[field].includes('{rule}'))
        form.set(
          field,
          values[field].replaceAll('{rule}', () => ruleName(chosen, says[field])),
        );
  }

  return {
    form,
    outcome,
    source: decisionSources.find((one) => one === values.source) ?? 'notice',
    isActing: values.outcome === 'actioned',
    hasReports,
    hasReporters: hasReports && (open.length === 0 || hasReporters),
    mayLong,
    removable,
    rules,
    rule,
    /** The values for the rule's placeholders in templates. */
    ruleValue: (say: Say) => (rule === undefined ? {} : { rule: ruleName(rule, say) }),
    /** The start of the answer to reporters who have been answered before. */
    again: againAnswersOf(file, outcome),
    write,
    chooseOutcome,
    chooseRule,
  };
}
export type Decision = ReturnType<typeof useDecision>;
