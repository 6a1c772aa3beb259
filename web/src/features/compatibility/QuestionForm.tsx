import { Button } from '@mantine/core';
import { type FormEvent, useEffect, useRef } from 'react';
import {
  type CompatibilityAnswer,
  importances,
  importanceWords,
  putAnswer,
} from '#contract/compatibility/compatibility.ts';
import { type Question, questions } from '#contract/compatibility/questions.ts';
import { call } from '../../api/call.ts';
import { dropDraft } from '../../api/session/drafts.ts';
import { useCommand } from '../../api/use-command.ts';
import { useKeptDraft } from '../../api/session/use-kept-draft.ts';
import { BusyButton } from '../../ui/form/BusyButton.tsx';
import { ChoiceGroup } from '../../ui/form/ChoiceGroup.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { useText } from '../../ui/text/text.ts';
import { useFields } from '../../ui/form/use-fields.ts';
import { answerDraft, answerGaps, bodyOfAnswer, draftOfAnswer, formOfAnswer, listOf } from './answer-form.ts';
import classes from './QuestionForm.module.css';

interface QuestionFormProps {
  question: Question;
  saved: CompatibilityAnswer | undefined;
  /** Its heading takes the focus: somebody has just asked for it. */
  takesFocus: boolean;
  /** Goes on without an answer; absent where one answer alone is changed. */
  onSkip?: (() => void) | undefined;
  onStop: () => void;
  onSaved: (answers: CompatibilityAnswer[]) => void;
}

/** One question: the own answer, those that are fine in somebody else, and how much it matters; saved by itself. */
export function QuestionForm({ question, saved, takesFocus, onSkip, onStop, onSaved }: QuestionFormProps) {
  const t = useText();
  const heading = useRef<HTMLHeadingElement>(null);
  const command = useCommand();
  const before = formOfAnswer(saved);
  const fields = useFields({ ...before, ...draftOfAnswer(question) }, command.reset);
  const { values, set } = fields;
  const { answer, accepted, importance } = values;
  const isTouched = answer !== before.answer || accepted !== before.accepted || importance !== before.importance;
  const choices = question.options.map(({ id, text }) => ({ value: id, label: t(text) }));
  const isOpenToAll = importance !== 'irrelevant' && listOf(accepted).length === choices.length;

  useEffect(() => {
    if (takesFocus) heading.current?.focus();
  }, [takesFocus]);

  useKeptDraft(
    answerDraft,
    isTouched && !command.isDone ? { questionId: question.id, answer, accepted, importance } : null,
  );

  async function send() {
    const body = bodyOfAnswer(values);
    const { answers } = (await call(putAnswer, { params: { questionId: question.id }, body })).data;
    dropDraft(answerDraft);
    onSaved(answers);
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!command.isPending && !fields.showErrors(answerGaps(values))) void command.run(send);
  }

  function leave(go: () => void) {
    dropDraft(answerDraft);
    go();
  }

  return (
    <form ref={fields.form} noValidate className={classes.form} onSubmit={submit}>
      <h3 ref={heading} tabIndex={-1} className={classes.question}>
        <span className={classes.progress}>
          {t('Question {number} of {total}', { number: questions.indexOf(question) + 1, total: questions.length })}
          {' · '}
          {t(question.topic)}
        </span>{' '}
        {t(question.text)}
      </h3>
      <ChoiceGroup
        type="radio"
        name="answer"
        legend={t('Your answer')}
        choices={choices}
        chosen={[answer]}
        error={fields.bind('answer').error}
        onChange={([one = '']) => set('answer', one)}
      />
      <ChoiceGroup
        type="checkbox"
        name="accepted"
        legend={t('Answers you like in somebody else')}
        choices={choices}
        chosen={listOf(accepted)}
        isDisabled={importance === 'irrelevant'}
        hint={
          importance === 'irrelevant'
            ? t('Any answer is fine, since it does not matter.')
            : isOpenToAll
              ? t('Every answer is fine with you, so this question will not count.')
              : undefined
        }
        error={importance === 'irrelevant' ? undefined : fields.bind('accepted').error}
        onChange={(some) => set('accepted', some.join(','))}
      />
      <ChoiceGroup
        type="radio"
        name="importance"
        legend={t('How much does it matter?')}
        choices={importances.map((each) => ({ value: each, label: t(importanceWords[each]) }))}
        chosen={[importance]}
        isRow
        onChange={([one = '']) => set('importance', one)}
      />
      {command.error !== null && (
        <Notice kind="error">{t('Your answer is not saved: {error}', { error: t(command.error) })}</Notice>
      )}
      <div className={classes.buttons}>
        <BusyButton type="submit" isBusy={command.isPending} busyText={t('Saving...')}>
          {onSkip ? t('Save and next') : t('Save')}
        </BusyButton>
        {onSkip && (
          <Button variant="default" onClick={() => leave(onSkip)}>
            {t('Skip')}
          </Button>
        )}
        <Button variant="subtle" color="gray" onClick={() => leave(onStop)}>
          {onSkip ? t('Stop for now') : t('Cancel')}
        </Button>
      </div>
    </form>
  );
}
