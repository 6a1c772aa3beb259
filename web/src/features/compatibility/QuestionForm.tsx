import { t } from '@lingui/core/macro';
import { Button, Title } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import {
  type CompatibilityAnswer,
  type Importance,
  importances,
  importanceWords,
  type putAnswer,
  type Question,
  questionById,
  questions,
} from '#contract/compatibility.ts';
import type { BodyInput } from '#contract/endpoint.ts';
import type { FieldError } from '#contract/errors.ts';
import { ErrorNotice } from '../../ui/feedback/Notice.tsx';
import { BusyButton } from '../../ui/form/BusyButton.tsx';
import { ChoiceGroup, Form } from '../../ui/form/Form.tsx';
import { dropDraft, type Edits, readDraft, useKeptDraft } from '../../ui/form/drafts.ts';
import { useFields } from '../../ui/form/use-form.ts';
import { Hint } from '../../ui/layout/text-blocks.tsx';
import { Buttons } from '../../ui/layout/Rows.tsx';
import { useSaveAnswer } from './queries.ts';

interface QuestionFormProps {
  question: Question;
  saved: CompatibilityAnswer | undefined;
  /** Whether the heading takes the focus because the question was just opened. */
  takesFocus: boolean;
  /** Continues without an answer; absent when a single answer is being changed. */
  onSkip?: (() => void) | undefined;
  onStop: () => void;
  onSaved: () => void;
}

/** The form for one question: the member's answer, the answers they accept, and how much it matters. */
export function QuestionForm({ question, saved, takesFocus, onSkip, onStop, onSaved }: QuestionFormProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const save = useSaveAnswer();
  const [kept] = useState(() => draftOfAnswer(question));
  const fields = useFields(formOfAnswer(saved), save.reset, kept);
  const { values, set, edits } = fields;
  const { answer, accepted, importance } = values;
  const isTouched = Object.keys(edits).length > 0;
  const choices = question.options.map(({ id, text }) => ({ value: id, label: t(text) }));
  const isOpenToAll = importance !== 'irrelevant' && listOf(accepted).length === choices.length;

  useEffect(() => {
    if (takesFocus) heading.current?.focus();
  }, [takesFocus]);

  useKeptDraft(answerDraft, isTouched && !save.isSuccess ? { questionId: question.id, edits } : null);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (save.isPending || fields.showErrors(answerGaps(values))) return;
    const onSuccess = () => {
      dropDraft(answerDraft);
      onSaved();
    };
    save.mutate({ questionId: question.id, body: bodyOfAnswer(values) }, { onSuccess });
  }

  function leave(go: () => void) {
    dropDraft(answerDraft);
    go();
  }

  return (
    <Form ref={fields.form} onSubmit={submit}>
      <Title ref={heading} tabIndex={-1} order={3} lh={1.35}>
        <Hint component="span" display="block" mb="0.3rem" ff="text" fw={400}>
          {t`Question ${{ number: questions.indexOf(question) + 1 }} of ${{ total: questions.length }}`}
          {' · '}
          {t(question.topic)}
        </Hint>{' '}
        {t(question.text)}
      </Title>
      <ChoiceGroup
        type="radio"
        name="answer"
        legend={t`Your answer`}
        choices={choices}
        chosen={[answer]}
        error={fields.bind('answer').error}
        onChange={([one = '']) => set('answer', one)}
      />
      <ChoiceGroup
        type="checkbox"
        name="accepted"
        legend={t`Answers you'd like in a partner`}
        choices={choices}
        chosen={listOf(accepted)}
        isDisabled={importance === 'irrelevant'}
        hint={
          importance === 'irrelevant'
            ? t`Any answer is fine, since it doesn't matter.`
            : isOpenToAll
              ? t`You accept every answer, so this question won't count.`
              : undefined
        }
        error={importance === 'irrelevant' ? undefined : fields.bind('accepted').error}
        onChange={(some) => set('accepted', some.join(','))}
      />
      <ChoiceGroup
        type="radio"
        name="importance"
        legend={t`How much does it matter?`}
        choices={importances.map((each) => ({ value: each, label: t(importanceWords[each]) }))}
        chosen={[importance]}
        isRow
        onChange={([one = '']) => set('importance', one)}
      />
      <ErrorNotice error={save.error} text={(error) => t`Your answer is not saved: ${error}`} />
      <Buttons ofForm>
        <BusyButton type="submit" isBusy={save.isPending} busyText={t`Saving...`}>
          {onSkip ? t`Save and next` : t`Save`}
        </BusyButton>
        {onSkip && (
          <Button variant="default" onClick={() => leave(onSkip)}>
            {t`Skip`}
          </Button>
        )}
        <Button variant="subtle" color="gray" onClick={() => leave(onStop)}>
          {onSkip ? t`Stop for now` : t`Cancel`}
        </Button>
      </Buttons>
    </Form>
  );
}

/** The form's values for one answer. Accepted options are separated by commas; '' means not chosen yet. */
type AnswerForm = Record<'answer' | 'accepted' | 'importance', string>;

const answerDraft = 'compatibility-answer';

interface AnswerDraft {
  questionId: string;
  edits?: Edits;
}

const listOf = (text: string) => (text === '' ? [] : text.split(','));

/** The form's values for a saved answer; by default, a question matters a little. */
function formOfAnswer(saved: CompatibilityAnswer | undefined): AnswerForm {
  return {
    answer: saved?.answer ?? '',
    accepted: saved?.accepted.join(',') ?? '',
    importance: saved?.importance ?? 'somewhat',
  };
}

/** The unsaved choices for this question from before a reload, if those options still exist. */
function draftOfAnswer({ id, options }: Question): Edits {
  const draft = readDraft<AnswerDraft>(answerDraft);
  if (draft?.questionId !== id) return {};
  const { answer, accepted } = draft.edits ?? {};
  const isKnown = [answer, accepted]
    .flatMap((edit) => listOf(String(edit?.value ?? '')))
    .every((one) => options.some((option) => option.id === one));
  return isKnown ? (draft.edits ?? {}) : {};
}

/** The answer as the server expects it; a question that does not matter has no accepted options. */
function bodyOfAnswer({ answer, accepted, importance }: AnswerForm): BodyInput<typeof putAnswer> {
  return {
    answer,
    accepted: importance === 'irrelevant' ? [] : listOf(accepted),
    importance: importance as Importance,
  };
}

/** Errors for the parts that are still missing. */
function answerGaps({ answer, accepted, importance }: AnswerForm): FieldError[] {
  return [
    ...(answer === '' ? [{ field: 'answer', msg: t`Choose your own answer` }] : []),
    ...(accepted === '' && importance !== 'irrelevant'
      ? [{ field: 'accepted', msg: t`Choose at least one, or that it doesn't matter` }]
      : []),
  ];
}

/** The open question, and the questions that follow it. */
export interface Asked {
  question: Question;
  rest: readonly Question[];
  /** An earlier answer is being changed, so no question follows. */
  isChange: boolean;
}

/** The first of these questions, with the rest to follow; null if there are none. */
export function askedFrom([question, ...rest]: readonly Question[]): Asked | null {
  return question === undefined ? null : { question, rest, isChange: false };
}

/** The questions without an answer. */
export function unanswered(answers: readonly CompatibilityAnswer[]): Question[] {
  return questions.filter(({ id }) => !answers.some(({ questionId }) => questionId === id));
}

/** A single question whose answer is to be changed. */
export function askedAgain(questionId: string): Asked | null {
  const question = questionById(questionId);
  return question === undefined ? null : { question, rest: [], isChange: true };
}

/** The question that was open before a reload. */
export function askedBefore(answers: readonly CompatibilityAnswer[]): Asked | null {
  const questionId = readDraft<AnswerDraft>(answerDraft)?.questionId;
  if (questionId === undefined) return null;
  if (answers.some((answer) => answer.questionId === questionId)) return askedAgain(questionId);
  const open = unanswered(answers);
  return askedFrom(
    open.slice(
      Math.max(
        0,
        open.findIndex(({ id }) => id === questionId),
      ),
    ),
  );
}
