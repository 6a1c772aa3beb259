import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { CompatibilityAnswer } from '#contract/compatibility/compatibility.ts';
import { questions } from '#contract/compatibility/questions.ts';
import { useText } from '../../ui/text/text.ts';
import { AnswerList } from './AnswerList.tsx';
import { type Asked, askedAgain, askedBefore, askedFrom, unanswered } from './asked.ts';
import { QuestionForm } from './QuestionForm.tsx';
import classes from './QuestionsPart.module.css';

const texts = {
  saved: 'Saved.',
  atEnd: 'That was the last question. What you skipped is asked again next time.',
  allAnswered: 'Every question is answered. Thank you!',
};

function Count({ count }: { count: number }) {
  const t = useText();
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

/** How many questions are answered; one after the other to answer, and the answers to look through and change. */
export function QuestionsPart({ saved }: { saved: readonly CompatibilityAnswer[] }) {
  const t = useText();
  const [answers, setAnswers] = useState(saved);
  const [asked, setAsked] = useState(() => askedBefore(saved));
  const [news, setNews] = useState<string | null>(null);
  const [isListShown, setListShown] = useState(false);
  /** Whose button has the focus again in the end; null until one is pressed. */
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
    setNews(null);
    setAsked(next);
  }

  /** To the next question, or back to where it began. */
  function goOn({ rest, question, isChange }: Asked, now = answers) {
    const next = askedFrom(rest);
    const hasSaved = now !== answers;
    const atEnd = unanswered(now).length === 0 ? texts.allAnswered : texts.atEnd;
    setAnswers(now);
    setOpener(isChange ? question.id : 'begin');
    setNews(next === null && !isChange ? atEnd : hasSaved ? texts.saved : null);
    setAsked(next);
  }

  return (
    <div ref={place} tabIndex={-1} className={classes.part}>
      <p role="status" className={classes.news}>
        {news !== null && t(news)}
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
            <AnswerList
              answers={answers}
              onAnswers={setAnswers}
              onChange={(questionId) => ask(askedAgain(questionId), questionId)}
            />
          )}
        </>
      ) : (
        <QuestionForm
          key={asked.question.id}
          question={asked.question}
          saved={answers.find(({ questionId }) => questionId === asked.question.id)}
          takesFocus={opener !== null}
          onSkip={asked.isChange ? undefined : () => goOn(asked)}
          onStop={() => ask(null, asked.isChange ? asked.question.id : 'begin')}
          onSaved={(now) => goOn(asked, now)}
        />
      )}
    </div>
  );
}
