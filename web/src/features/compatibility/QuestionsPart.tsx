import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { CompatibilityAnswer } from '#contract/compatibility/compatibility.ts';
import { questions } from '#contract/compatibility/questions.ts';
import { t } from '../../ui/text/text.ts';
import { AnswerList } from './AnswerList.tsx';
import { type Asked, askedAgain, askedBefore, askedFrom, unanswered } from './answering.ts';
import { QuestionForm } from './QuestionForm.tsx';
import classes from './QuestionsPart.module.css';

const texts = {
  saved: 'Saved.',
  atEnd: 'That was the last question. What you skipped is asked again next time.',
  allAnswered: 'Every question is answered. Thank you!',
};

function Count({ count }: { count: number }) {
  const total = questions.length;
  return (
    <div className={classes.count}>
      <p className={classes.words}>
        {count === 0
          ? t('{total} short questions about living and loving together. Answer as many as you like.', { total })
          : t('You have answered {count} of {total} questions.', { count, total })}
      </p>
      <div className={classes.track} aria-hidden="true">
        <div className={classes.done} style={{ width: `${(100 * count) / total}%` }} />
      </div>
    </div>
  );
}

/** The questions: progress, answering them one after the other, and the given answers to change. */
export function QuestionsPart({ answers }: { answers: readonly CompatibilityAnswer[] }) {
  const [asked, setAsked] = useState(() => askedBefore(answers));
  const [status, setStatus] = useState<string | null>(null);
  const [isListShown, setListShown] = useState(false);
  /** The button that gets the focus back in the end; null until one is pressed. */
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

  /** To the next question, or back to where it started. */
  function goOn({ rest, question, isChange }: Asked, isSaved: boolean) {
    const next = askedFrom(rest);
    const isLast = isSaved && open.every(({ id }) => id === question.id);
    const atEnd = isLast ? texts.allAnswered : texts.atEnd;
    setOpener(isChange ? question.id : 'begin');
    setStatus(next === null && !isChange ? atEnd : isSaved ? texts.saved : null);
    setAsked(next);
  }

  return (
    <div ref={place} tabIndex={-1} className={classes.part}>
      <p role="status" className={classes.news}>
        {status !== null && t(status)}
      </p>
      {asked === null ? (
        <>
          <Count count={answers.length} />
          <div className={classes.buttons}>
            {open.length > 0 && (
              <Button data-opener="begin" onClick={() => ask(askedFrom(open), 'begin')}>
                {t('Answer questions')}
              </Button>
            )}
            {(answers.length > 0 || isListShown) && (
              <Button variant="default" aria-expanded={isListShown} onClick={() => setListShown(!isListShown)}>
                {isListShown ? t('Hide my answers') : t('Show my answers')}
              </Button>
            )}
          </div>
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
    </div>
  );
}
