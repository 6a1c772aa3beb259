import { Button } from '@mantine/core';
import { type ReactNode, Suspense, useEffect } from 'react';
import { Link } from 'react-router';
import { lazyPart, whenIdle } from '../../ui/loading/lazy-page.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { t } from '../../ui/text/text.ts';
import classes from './likes.module.css';
import { dismissMatch, dismissProblem, type NewMatch, useDecisions } from './decisions.ts';

/** Fetched with the first decision. */
const moment = lazyPart(() => import('./MatchMoment.tsx').then((module) => module.MatchMoment));

/** Where to go next, by the code of the problem. */
const nextSteps: Record<string, { to: string; text: string }> = {
  LIKES_USED_UP: { to: '/app/premium', text: 'What premium adds' },
  PREMIUM_REQUIRED: { to: '/app/premium', text: 'What premium adds' },
  CONFLICT: { to: '/app/matches', text: 'See your matches' },
  EMAIL_NOT_VERIFIED: { to: '/app/verify-email', text: 'Confirm email' },
  PROFILE_INCOMPLETE: { to: '/app/welcome', text: 'Finish your profile' },
};

interface DecisionNoticesProps {
  /** The field to write the first message of a match in. */
  firstMessageTo: (match: NewMatch, onSent: () => void) => ReactNode;
}

/** What became of the member's decisions, above the page: problems and new matches. */
export function DecisionNotices({ firstMessageTo }: DecisionNoticesProps) {
  const problem = useDecisions((state) => state.problem);
  const [match] = useDecisions((state) => state.matches);
  const hasDecided = useDecisions((state) => state.decided.length > 0);
  const way = nextSteps[problem?.code ?? ''];

  useEffect(() => {
    if (hasDecided) whenIdle(moment.preload);
  }, [hasDecided]);

  return (
    <div className={classes.notices}>
      {problem !== null && (
        <div className={classes.card}>
          <Notice
            kind={way === undefined ? 'error' : 'warning'}
            action={
              <div className={classes.noticeActions}>
                {way !== undefined && (
                  <Button component={Link} to={way.to} variant="default" size="xs" onClick={dismissProblem}>
                    {t(way.text)}
                  </Button>
                )}
                <Button variant="subtle" color="gray" size="xs" onClick={dismissProblem}>
                  {t('Dismiss')}
                </Button>
              </div>
            }
          >
            {t(problem.text)}
          </Notice>
        </div>
      )}
      {match !== undefined && (
        <Suspense>
          <moment.Part
            key={match.matchId}
            match={match}
            firstMessage={firstMessageTo(match, dismissMatch)}
            onClose={dismissMatch}
          />
        </Suspense>
      )}
    </div>
  );
}
