import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import { type CompatibilityAnswer, importanceWords } from '#contract/compatibility/compatibility.ts';
import { questionById } from '#contract/compatibility/questions.ts';
import { errorMessage } from '../../api/api-error.ts';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { t } from '../../ui/text/text.ts';
import classes from './AnswerList.module.css';
import { useDeleteAnswer, useSaveAnswer } from './queries.ts';

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
  const { text = '', options = [] } = questionById(questionId) ?? {};
  const question = t(text);
  const wordsOf = (id: string) => t(options.find((option) => option.id === id)?.text ?? id);
  return (
    <li className={classes.answer}>
      <div className={classes.text}>
        <p className={classes.question}>{question}</p>
        <dl className={classes.facts}>
          <dt>{t('You')}</dt>
          <dd>{wordsOf(answer)}</dd>
          <dt>{t('You like')}</dt>
          {accepted.length === 0 ? <dd>{t('Any answer')}</dd> : accepted.map((id) => <dd key={id}>{wordsOf(id)}</dd>)}
          <dt>{t('It matters')}</dt>
          <dd>{t(importanceWords[importance])}</dd>
        </dl>
      </div>
      <div className={classes.buttons}>
        <Button
          variant="default"
          size="xs"
          data-opener={questionId}
          aria-label={t('Change: {question}', { question })}
          onClick={onChange}
        >
          {t('Change')}
        </Button>
        <Button
          variant="default"
          size="xs"
          disabled={isBusy}
          aria-label={t('Delete: {question}', { question })}
          onClick={onDelete}
        >
          {t('Delete')}
        </Button>
      </div>
    </li>
  );
}

interface AnswerListProps {
  answers: readonly CompatibilityAnswer[];
  onChange: (questionId: string) => void;
}

/** The member's answers, each to change or delete; the last deletion can be undone. */
export function AnswerList({ answers, onChange }: AnswerListProps) {
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
    <div ref={place} tabIndex={-1} className={classes.place}>
      {error !== null && (
        <Notice kind="error">{t('This did not work: {error}', { error: t(errorMessage(error)) })}</Notice>
      )}
      {deleted !== null && (
        <Notice
          kind="success"
          action={
            <Button variant="default" size="xs" disabled={isBusy} onClick={() => restore(deleted)}>
              {t('Undo')}
            </Button>
          }
        >
          {t('The answer is deleted.')}
        </Notice>
      )}
      {answers.length > 0 && (
        <ul className={classes.list} aria-label={t('Your answers')}>
          {answers.map((answer) => (
            <AnswerRow
              key={answer.questionId}
              answer={answer}
              isBusy={isBusy}
              onChange={() => onChange(answer.questionId)}
              onDelete={() => remove(answer)}
            />
          ))}
        </ul>
      )}
    </div>
  );
}
