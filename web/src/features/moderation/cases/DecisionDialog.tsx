import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Fragment, useEffect, useId, useMemo } from 'react';
import type { CaseFile } from '#contract/moderation/case.ts';
import {
  againAnswer,
  type DecisionOutcome,
  decisionOutcomes,
  decisionSources,
  factsMinLength,
  type GivenContent,
  moderatorSuspensionDays,
  type Recommendation,
  type SanctionKind,
  sanctionKinds,
  usualAnswers,
} from '#contract/moderation/decision.ts';
import { decideCase } from '#contract/moderation/decisions.ts';
import { useMay } from '../../../api/session/permission.ts';
import { Disclosure } from '../../../ui/data/Disclosure.tsx';
import { Dialog } from '../../../ui/feedback/Dialog.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { CheckField, SelectField, TextArea, TextField } from '../../../ui/form/Field.tsx';
import { KeyHint } from '../../../ui/keyboard/actions.tsx';
import { useForm } from '../../../ui/form/use-form.ts';
import { t } from '../../../ui/text/text.ts';
import { ruleName, sharedValues, TemplateChoice, TextPreview } from '../reports/ReplyTemplates.tsx';
import { isOpenReport } from './case-words.ts';
import { ContentChoice, removableContent } from './ContentChoice.tsx';
import { outcomeWords, recommendationText, sanctionWords, sourceWords } from './decision-words.ts';
import { rulesQuery, useDecide } from './queries.ts';
import classes from './cases.module.css';

const initial = {
  outcome: 'actioned',
  ruleId: '',
  facts: '',
  source: 'notice',
  isDetectionAutomated: false,
  answer: usualAnswers.actioned,
  warn: false,
  remove_content: false,
  /** One line for each thing to remove. */
  contents: '',
  /** One line for each picture that its owner gets no copy of. */
  withheld: '',
  limit_messaging: false,
  hide_profile: false,
  suspend: false,
  ban: false,
  days: '7',
};
type Values = typeof initial;

const withEnd: readonly SanctionKind[] = ['limit_messaging', 'hide_profile', 'suspend'];
const choicesOf = <K extends string>(values: readonly K[], words: Record<K, string>) =>
  values.map((value) => ({ value, label: t(words[value]) }));

/** The body as the contract takes it; what belongs to no violation is left out. */
function toBody(values: Values, removable: ReturnType<typeof removableContent>) {
  const { outcome, ruleId, facts, source, isDetectionAutomated, answer, days } = values;
  const shared = { outcome, source, answer, ...(facts.trim() !== '' && { facts }) };
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
    .map((one) => ({ ...one, ...(withEnd.includes(one.kind) && days !== '' && { days: Number(days) }) }));
  return { ...shared, isDetectionAutomated, sanctions, ...(ruleId !== '' && { ruleId }) };
}

const hasEnd = (values: Values) => withEnd.some((kind) => values[kind]);
const hasMeasure = (values: Values) => sanctionKinds.some((kind) => values[kind]);
const linesOf = (text: string) => text.split('\n').filter((id) => id !== '');

/** What the reporters who were answered before read first. */
function againAnswersOf({ reports, decisions }: CaseFile, outcome: DecisionOutcome): string[] {
  const found = reports.filter(isOpenReport).map(({ _id }) => {
    const earlier = decisions.find((one) => one.reportIds.includes(_id) && (one.kind === 'full' || !one.isUndone));
    return againAnswer(earlier, outcome);
  });
  return [...new Set(found)].filter((one) => one !== null);
}

interface DecisionDialogProps {
  file: CaseFile;
  /** In a column next to the evidence, instead of in front of it. */
  isBeside: boolean;
  onDecided: () => void;
  onClose: () => void;
}

/** The decision form: what was found, by which rule, what to do, and what each side reads. */
export function DecisionDialog({ file, isBeside, onDecided, onClose }: DecisionDialogProps) {
  const { evidence, recommendation } = file;
  const { _id: caseId, person } = file.case;
  // Without any, a comparison with banned accounts opened the case.
  const hasReports = file.reports.length > 0;
  const reports = file.reports.filter(isOpenReport);
  const mayBeMinor = reports.some((report) => report.mayBeMinor);
  const formId = useId();
  const mayLong = useMay('sanctions.long');
  const rules = useQuery(rulesQuery);
  const decide = useDecide(caseId);
  const removable = useMemo(() => removableContent(evidence), [evidence]);
  const form = useForm({
    initial: hasReports ? initial : { ...initial, source: 'own_initiative', isDetectionAutomated: true },
    draft: `decision:${caseId}`,
    schema: decideCase.body,
    toBody: (values) => toBody(values, removable),
    check: (values) => {
      if (values.outcome !== 'actioned') return [];
      const lacksContent = values.remove_content && linesOf(values.contents).length === 0;
      const isLong = values.suspend && Number(values.days) > moderatorSuspensionDays;
      return [
        ...(lacksContent ? [{ field: 'remove_content', msg: 'Choose what to remove' }] : []),
        ...(isLong && !mayLong ? [{ field: 'days', msg: 'Escalate the case to suspend for more than a week' }] : []),
      ];
    },
    fieldOf: (field, values) => {
      if (!field.startsWith('sanctions')) return field;
      if (!hasMeasure(values)) return sanctionKinds[0];
      return hasEnd(values) ? 'days' : field;
    },
    send: (body) => decide.mutateAsync(body),
    onSent: () => {
      onClose();
      onDecided();
    },
  });
  const { values } = form;
  const isActing = values.outcome === 'actioned';
  const rule = rules.data?.find(({ _id }) => _id === values.ruleId);
  const offered = sanctionKinds.filter((kind) => kind !== 'ban' || mayLong);
  const isBeyondRole =
    recommendation !== null &&
    !mayLong &&
    (recommendation.kind === 'ban' || (recommendation.days ?? 0) > moderatorSuspensionDays);
  const source = decisionSources.find((one) => one === values.source) ?? 'notice';
  const outcome = decisionOutcomes.find((one) => one === values.outcome) ?? 'actioned';

  function chooseOutcome(next: string) {
    const chosen = decisionOutcomes.find((one) => one === next) ?? 'actioned';
    if (values.answer === usualAnswers[outcome]) form.set('answer', usualAnswers[chosen]);
    form.set('outcome', chosen);
  }

  function chooseRule(id: string) {
    form.set('ruleId', id);
    const chosen = rules.data?.find(({ _id }) => _id === id);
    if (chosen === undefined) return;
    for (const field of ['facts', 'answer'] as const)
      if (values[field].includes('{rule}'))
        form.set(
          field,
          values[field].replaceAll('{rule}', () => ruleName(chosen)),
        );
  }

  const ruleValue = rule === undefined ? {} : { rule: ruleName(rule) };
  const again = againAnswersOf(file, outcome);

  function takeSuggestion({ kind, days }: Recommendation) {
    form.set(kind, true);
    if (days !== null) form.set('days', String(days));
  }

  useEffect(() => {
    const element = form.form.current;
    function sendByKeys(event: KeyboardEvent) {
      if (event.key !== 'Enter' || event.repeat || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      element?.requestSubmit();
    }
    element?.addEventListener('keydown', sendByKeys);
    return () => element?.removeEventListener('keydown', sendByKeys);
  }, [form.form]);

  return (
    <Dialog
      title={t('Decide the case')}
      size={isBeside ? 'panel' : 'sheet'}
      onClose={onClose}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {t('Cancel')}
            <KeyHint of="Esc" />
          </Button>
          <BusyButton type="submit" form={formId} isBusy={form.isPending} busyText={t('Deciding...')}>
            {t('Decide')}
            <KeyHint of="Ctrl Enter" />
          </BusyButton>
        </>
      }
    >
      <form id={formId} ref={form.form} noValidate className={classes.form} onSubmit={form.submit}>
        {form.problem !== null && <Notice kind="error">{t(form.problem)}</Notice>}
        {recommendation !== null && isActing && (
          <Notice
            kind="info"
            action={
              isBeyondRole ? (
                <span>{t('Escalate the case: this needs a senior moderator.')}</span>
              ) : (
                !values[recommendation.kind] && (
                  <Button variant="default" size="xs" onClick={() => takeSuggestion(recommendation)}>
                    {t('Use this')}
                  </Button>
                )
              )
            }
          >
            {recommendationText(recommendation)}
          </Notice>
        )}
        <SelectField
          label={t('What did you find?')}
          {...form.bind('outcome')}
          data-autofocus
          choices={choicesOf(decisionOutcomes, outcomeWords)}
          onChange={(event) => chooseOutcome(event.currentTarget.value)}
        />
        {isActing && (
          <SelectField
            label={t('Rule')}
            required
            {...form.bind('ruleId')}
            onChange={(event) => chooseRule(event.currentTarget.value)}
            description={rule?.text ?? ''}
            choices={[
              { value: '', label: t('Choose the rule that was broken') },
              ...(rules.data ?? []).map(({ _id, clause, title }) => ({
                value: _id,
                label: ruleName({ clause, title }),
              })),
            ]}
          />
        )}
        <TextArea
          label={t('Facts')}
          required={isActing}
          rows={3}
          {...form.bind('facts')}
          description={
            isActing
              ? t('The person reads this. At least {count} characters, and nothing that tells who reported.', {
                  count: factsMinLength,
                })
              : t('For the file only.')
          }
        />
        {isActing && (
          <>
            <TemplateChoice
              kind="facts"
              label={t('Template for the facts')}
              values={{ firstName: person.name.split(' ')[0] ?? '', ...ruleValue }}
              message={values.facts}
              onWrite={(text) => form.set('facts', text)}
            />
            <TextPreview kind="facts" message={values.facts} />
          </>
        )}
        {isActing && (
          <fieldset className={classes.measures}>
            <legend>{t('Measures')}</legend>
            {offered.map((kind) => (
              <Fragment key={kind}>
                <CheckField
                  label={t(sanctionWords[kind])}
                  {...form.bindCheckbox(kind)}
                  {...(kind === sanctionKinds[0] && hasMeasure(values) && { error: undefined })}
                />
                {kind === 'remove_content' && values.remove_content && (
                  <ContentChoice
                    contents={removable}
                    chosen={linesOf(values.contents)}
                    withheld={linesOf(values.withheld)}
                    isAlwaysWithheld={mayBeMinor || values.source === 'authority'}
                    onChange={({ chosen, withheld }) => {
                      if (chosen) form.set('contents', chosen.join('\n'));
                      if (withheld) form.set('withheld', withheld.join('\n'));
                    }}
                  />
                )}
              </Fragment>
            ))}
            {hasEnd(values) && (
              <TextField
                label={t('For how many days')}
                inputMode="numeric"
                {...form.bind('days')}
                description={t('Leave empty for no end. A suspension needs one.')}
              />
            )}
          </fieldset>
        )}
        {hasReports && (
          <>
            <TextArea
              label={t('Answer to the reporters')}
              rows={3}
              required
              {...form.bind('answer')}
              description={t('Sent as it is. Do not say what was done to the other person.')}
            />
            <TemplateChoice
              kind="answer"
              label={t('Template for the answer')}
              values={{ ...sharedValues(reports), ...ruleValue }}
              message={values.answer === usualAnswers[outcome] ? '' : values.answer}
              onWrite={(text) => form.set('answer', text)}
            />
            {again.length > 0 && (
              <p className={classes.soft}>
                {t('Reporters whose report was decided before read first: {text}', { text: again.join(' / ') })}
              </p>
            )}
            <TextPreview kind="answer" message={[...again.slice(0, 1), values.answer].join('\n\n')} />
          </>
        )}
        <Disclosure
          title={t('Came to light by: {source}', { source: t(sourceWords[source]) })}
          heading="h3"
          startsOpen={!hasReports}
          isPlain
        >
          <div className={classes.form}>
            <SelectField
              label={t('How did it come to light?')}
              {...form.bind('source')}
              choices={choicesOf(decisionSources, sourceWords)}
            />
            {isActing && (
              <CheckField
                label={t('An automatic check found it')}
                {...form.bindCheckbox('isDetectionAutomated')}
                description={t('The decision itself is always made by a person.')}
              />
            )}
          </div>
        </Disclosure>
      </form>
    </Dialog>
  );
}
