import type { MessageDescriptor } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { Button, Stack, Text } from '@mantine/core';
import { Fragment } from 'react';
import type { CaseFile } from '#contract/moderation/cases.ts';
import {
  decisionOutcomes,
  decisionSources,
  factsMinLength,
  moderatorSanctionDays,
  type Recommendation,
  sanctionKinds,
} from '#contract/moderation/decisions.ts';
import { usualAnswers } from '#contract/moderation/usual-answers.ts';
import { Disclosure } from '../../../ui/data/Disclosure.tsx';
import { FormDialog } from '../../../ui/feedback/FormDialog.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { CheckField, SelectField, TextArea, TextField } from '../../../ui/form/Field.tsx';
import { ChoiceGroup } from '../../../ui/form/Form.tsx';
import { KeyHint } from '../../../ui/keyboard/shortcuts.tsx';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { language } from '../../../ui/text/text.ts';
import { ruleName, sharedReader, sharedValues, TemplateChoice, TextPreview } from '../reports/ReplyTemplates.tsx';
import { outcomeWords, recommendationText, sanctionWords, sourceWords } from './decision-words.ts';
import { isOpenReport } from './case-words.ts';
import { ContentChoice } from './ContentChoice.tsx';
import { type Decision, hasEnd, hasMeasure, linesOf, useDecision } from './use-decision.ts';
import classes from './cases.module.css';

const choicesOf = <K extends string>(values: readonly K[], words: Record<K, MessageDescriptor>) =>
  values.map((value) => ({ value, label: t(words[value]) }));

interface PartProps {
  file: CaseFile;
  decision: Decision;
}

/** The measure recommended because of earlier violations, with a button that chooses it. */
function Recommended({ recommendation, decision }: { recommendation: Recommendation; decision: Decision }) {
  const { form, mayLong } = decision;
  const { kind, days } = recommendation;
  const isBeyondRole = !mayLong && (kind === 'ban' || (days ?? 0) > moderatorSanctionDays);

  function take() {
    form.set(kind, true);
    if (days !== null) form.set('days', String(days));
  }

  return (
    <Notice
      kind="info"
      action={
        isBeyondRole ? (
          <span>{t`Escalate the case: this needs a senior moderator.`}</span>
        ) : (
          !form.values[kind] && (
            <Button variant="default" size="xs" onClick={take}>
              {t`Use this`}
            </Button>
          )
        )
      }
    >
      {recommendationText(recommendation)}
    </Notice>
  );
}

/** The violated rule and the facts, which the person will read. */
function Finding({ file, decision }: PartProps) {
  const { form, isActing, rules, rule, ruleValue } = decision;
  const firstName = file.case.person.name.split(' ')[0] ?? '';
  return (
    <>
      {isActing && (
        <ChoiceGroup
          type="radio"
          name="ruleId"
          legend={t`Rule`}
          isRequired
          isRow="chips"
          chosen={[form.values.ruleId]}
          error={form.errors.ruleId}
          hint={rule?.text}
          choices={rules.map((one) => ({ value: one._id, label: ruleName(one) }))}
          onChange={([id = '']) => decision.chooseRule(id)}
        />
      )}
      {isActing && (
        <TemplateChoice
          kind="facts"
          label={t`Template for the facts`}
          reader={file.case.person}
          values={({ say }) => ({ firstName, ...ruleValue(say) })}
          message={form.values.facts}
          onWrite={(text, { say }) => decision.write('facts', text, say)}
        />
      )}
      <TextArea
        label={t`Facts`}
        required={isActing}
        rows={3}
        {...form.bind('facts')}
        description={
          isActing
            ? t`The person reads this. At least ${{ count: factsMinLength }} characters, and nothing that reveals who reported.`
            : t`For the file only.`
        }
      />
      {isActing && <TextPreview kind="facts" message={form.values.facts} />}
    </>
  );
}

/** The measures against the violation. */
function Measures({ file, decision }: PartProps) {
  const { form, mayLong, removable } = decision;
  const { values } = form;
  const offered = sanctionKinds.filter((kind) => kind !== 'ban' || mayLong);
  const mayBeMinor = file.reports.some((report) => isOpenReport(report) && report.mayBeMinor);
  return (
    <fieldset className={classes.measures}>
      <legend>{t`Measures`}</legend>
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
          label={t`For how many days`}
          inputMode="numeric"
          {...form.bind('days')}
          description={
            mayLong
              ? t`Leave empty for no end date. A suspension needs one.`
              : t`A week at most. Escalate the case for longer.`
          }
        />
      )}
    </fieldset>
  );
}

/** The answer that the reporters will read. */
function Answer({ file, decision }: PartProps) {
  const { form, outcome, again, ruleValue } = decision;
  const { answer } = form.values;
  const open = file.reports.filter(isOpenReport);
  const isUsual = answer === t(usualAnswers[outcome]);
  const isTranslated = isUsual && open.some(({ user }) => (user.language ?? language) !== language);
  return (
    <>
      <TemplateChoice
        kind="answer"
        label={t`Template for the answer`}
        reader={sharedReader(open)}
        values={(of) => ({ ...sharedValues(open, of), ...ruleValue(of.say) })}
        message={isUsual ? '' : answer}
        onWrite={(text, { say }) => decision.write('answer', text, say)}
      />
      <TextArea
        label={t`Answer to the reporters`}
        rows={3}
        required
        {...form.bind('answer')}
        description={t`Sent as written; the standard answer is sent in the language of each reporter. Do not say what was done to the other person.`}
      />
      {again.length > 0 && (
        <Text c="dimmed">
          {t`If their report was already decided, reporters see this first: ${{ text: again.join(' / ') }}`}
        </Text>
      )}
      {isTranslated ? (
        <Hint>{t`Reporters read this standard answer in their own language.`}</Hint>
      ) : (
        <TextPreview kind="answer" message={[...again.slice(0, 1), answer].join('\n\n')} />
      )}
    </>
  );
}

/** How the violation was discovered, which the statement of reasons mentions. */
function Source({ form, source, isActing, hasReports }: Decision) {
  return (
    <Disclosure
      title={t`Discovered through: ${{ source: t(sourceWords[source]) }}`}
      heading="h3"
      startsOpen={!hasReports}
      isPlain
    >
      <Stack>
        <SelectField
          label={t`How was it discovered?`}
          {...form.bind('source')}
          choices={choicesOf(decisionSources, sourceWords)}
        />
        {isActing && (
          <CheckField
            label={t`An automatic check found it`}
            {...form.bindCheckbox('isDetectionAutomated')}
            description={t`The decision itself is always made by a person.`}
          />
        )}
      </Stack>
    </Disclosure>
  );
}

interface DecisionDialogProps {
  file: CaseFile;
  /** Shows the form in a column next to the evidence instead of in a dialog over it. */
  isBeside: boolean;
  onDecided: () => void;
  onClose: () => void;
}

/** The decision form: the outcome, the violated rule, the measures, and the texts for the people involved. */
export function DecisionDialog({ file, isBeside, onDecided, onClose }: DecisionDialogProps) {
  const decision = useDecision(file, () => {
    onClose();
    onDecided();
  });
  const { form, isActing, hasReporters } = decision;
  return (
    <FormDialog
      title={t`Decide the case`}
      size={isBeside ? 'panel' : 'sheet'}
      form={form}
      sendText={t`Decide`}
      busyText={t`Deciding...`}
      cancelText={
        <>
          {t`Cancel`}
          <KeyHint of="Esc" />
        </>
      }
      hasKeyHint
      isLong
      onClose={onClose}
    >
      {file.recommendation !== null && isActing && (
        <Recommended recommendation={file.recommendation} decision={decision} />
      )}
      <SelectField
        label={t`What did you find?`}
        {...form.bind('outcome')}
        data-autofocus
        choices={choicesOf(decisionOutcomes, outcomeWords)}
        onChange={(event) => decision.chooseOutcome(event.currentTarget.value)}
      />
      <Finding file={file} decision={decision} />
      {isActing && <Measures file={file} decision={decision} />}
      {hasReporters && <Answer file={file} decision={decision} />}
      <Source {...decision} />
    </FormDialog>
  );
}
