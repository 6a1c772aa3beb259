import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { type CompatibilityAnswer, importanceWords, questionById, questions } from '#contract/compatibility.ts';
import { Facts } from '../../ui/data/Facts.tsx';
import { Track } from '../../ui/data/Track.tsx';
import { ErrorNotice, Notice } from '../../ui/feedback/Notice.tsx';
import { Buttons, Rows } from '../../ui/layout/Rows.tsx';
import { type Asked, askedAgain, askedBefore, askedFrom, QuestionForm, unanswered } from './QuestionForm.tsx';
import { useDeleteAnswer, useSaveAnswer } from './queries.ts';

const texts = {
  saved: msg`Saved.`,
  atEnd: msg`That was the last question. We'll ask the ones you skipped next time.`,
  allAnswered: msg`You've answered every question. Thank you!`,
};

function Count({ count }: { count: number }) {
  const total = questions.length;
  return (
    <Stack gap="0.5rem">
      <p>
        {count === 0
          ? t`${total} short questions about living and loving together. Answer as many as you like.`
          : t`You have answered ${count} of ${total} questions.`}
      </p>
      <Track share={count / total} />
    </Stack>
  );
}

/** The compatibility questions: progress, one question after another, and the answers already given. */
export function QuestionsPart({ answers }: { answers: readonly CompatibilityAnswer[] }) {
  const [asked, setAsked] = useState(() => askedBefore(answers));
  const [status, setStatus] = useState<MessageDescriptor | null>(null);
  const [isListShown, setListShown] = useState(false);
  /** The button that gets the focus back when the questions are closed; null until one is pressed. */
  const [opener, setOpener] = useState<string | null>(null);
  const place = useRef<HTMLDivElement>(null);
  const open = unanswered(answers);

  useEffect(() => {
    if (asked !== null || opener === null) return;
    const button = place.current?.querySelector<HTMLElement>(`[data-opener="${opener}"]`);
    (button ?? place.current)?.focus();
  }, [asked, opener]);

  function ask(next: Asked | null, from: string) {
    setOpener(from);
    setStatus(null);
    setAsked(next);
  }

  /** Opens the next question, or returns to the starting point. */
  function goOn({ rest, question, isChange }: Asked, isSaved: boolean) {
    const next = askedFrom(rest);
    const isLast = isSaved && open.every(({ id }) => id === question.id);
    const atEnd = isLast ? texts.allAnswered : texts.atEnd;
    setOpener(isChange ? question.id : 'begin');
    setStatus(next === null && !isChange ? atEnd : isSaved ? texts.saved : null);
    setAsked(next);
  }

  return (
    <Stack ref={place} tabIndex={-1}>
      <Text role="status" c="var(--hw-moss)" fw={600}>
        {status !== null && t(status)}
      </Text>
      {asked === null ? (
        <>
          <Count count={answers.length} />
          <Buttons ofForm>
            {open.length > 0 && (
              <Button data-opener="begin" onClick={() => ask(askedFrom(open), 'begin')}>
                {t`Answer questions`}
              </Button>
            )}
            {(answers.length > 0 || isListShown) && (
              <Button variant="default" aria-expanded={isListShown} onClick={() => setListShown(!isListShown)}>
                {isListShown ? t`Hide my answers` : t`Show my answers`}
              </Button>
            )}
          </Buttons>
          {isListShown && (
            <AnswerList answers={answers} onChange={(questionId) => ask(askedAgain(questionId), questionId)} />
          )}
        </>
      ) : (
        <QuestionForm
          key={asked.question.id}
          question={asked.question}
          saved={answers.find(({ questionId }) => questionId === asked.question.id)}
          takesFocus={opener !== null}
          onSkip={asked.isChange ? undefined : () => goOn(asked, false)}
          onStop={() => ask(null, asked.isChange ? asked.question.id : 'begin')}
          onSaved={() => goOn(asked, true)}
        />
      )}
    </Stack>
  );
}

interface AnswerRowProps {
  answer: CompatibilityAnswer;
  isBusy: boolean;
  onChange: () => void;
  onDelete: () => void;
}

function AnswerRow({
  answer: { questionId, answer, accepted, importance },
  isBusy,
  onChange,
  onDelete,
}: AnswerRowProps) {
  const { text, options = [] } = questionById(questionId) ?? {};
  const question = text ? t(text) : '';
  const wordsOf = (id: string) => {
    const option = options.find((one) => one.id === id);
    return option ? t(option.text) : id;
  };
  return (
    <Group component="li" gap="0.6rem 1rem" align="flex-start">
      <Stack gap="0.5rem" flex="1 1 16rem" miw={0}>
        <Text fw={600}>{question}</Text>
        <Facts
          columns={3}
          facts={[
            [t`You`, wordsOf(answer)],
            [
              t`You like`,
              accepted.length === 0 ? t`Any answer` : accepted.map((id) => <div key={id}>{wordsOf(id)}</div>),
            ],
            [t`It matters`, t(importanceWords[importance])],
          ]}
        />
      </Stack>
      <Buttons ofForm gap="0.5rem">
        <Button
          variant="default"
          size="xs"
          data-opener={questionId}
          aria-label={t`Change: ${question}`}
          onClick={onChange}
        >
          {t`Change`}
        </Button>
        <Button variant="default" size="xs" disabled={isBusy} aria-label={t`Delete: ${question}`} onClick={onDelete}>
          {t`Delete`}
        </Button>
      </Buttons>
    </Group>
  );
}

interface AnswerListProps {
  answers: readonly CompatibilityAnswer[];
  onChange: (questionId: string) => void;
}

/** The member's answers. Each can be changed or deleted, and the last deletion can be undone. */
function AnswerList({ answers, onChange }: AnswerListProps) {
  const deletion = useDeleteAnswer();
  const restoration = useSaveAnswer();
  const [deleted, setDeleted] = useState<CompatibilityAnswer | null>(null);
  const place = useRef<HTMLDivElement>(null);
  const isBusy = deletion.isPending || restoration.isPending;
  const error = restoration.error ?? deletion.error;

  function remove(answer: CompatibilityAnswer) {
    place.current?.focus();
    setDeleted(null);
    restoration.reset();
    deletion.mutate(answer, { onSuccess: () => setDeleted(answer) });
  }

  function restore({ questionId, ...body }: CompatibilityAnswer) {
    place.current?.focus();
    restoration.mutate({ questionId, body }, { onSuccess: () => setDeleted(null) });
  }

  return (
    <Stack ref={place} tabIndex={-1}>
      <ErrorNotice error={error} text={(error) => t`That didn't work: ${error}`} />
      {deleted !== null && (
        <Notice
          kind="success"
          action={
            <Button variant="default" size="xs" disabled={isBusy} onClick={() => restore(deleted)}>
              {t`Undo`}
            </Button>
          }
        >
          {t`Answer deleted.`}
        </Notice>
      )}
      {answers.length > 0 && (
        <Rows aria-label={t`Your answers`}>
          {answers.map((answer) => (
            <AnswerRow
              key={answer.questionId}
              answer={answer}
              isBusy={isBusy}
              onChange={() => onChange(answer.questionId)}
              onDelete={() => remove(answer)}
            />
          ))}
        </Rows>
      )}
    </Stack>
  );
}
