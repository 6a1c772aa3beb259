import { Button, Group } from '@mantine/core';
import { type ReactNode, Suspense, useEffect } from 'react';
import { Link } from 'react-router';
import type { Person } from '#contract/profiles/user.ts';
import { lazyPart, whenIdle } from '../../ui/loading/lazy-page.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { useBackCloses } from '../../ui/feedback/use-back-closes.ts';
import { memberName } from '../../ui/text/person.ts';
import { t } from '../../ui/text/text.ts';
import classes from './likes.module.css';
import { dismissMatch, dismissProblem, dismissSent, type NewMatch, useDecisions } from './decisions.ts';

const sentStaysMs = 4000;

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

/** Says once, for a moment, that a like and its note were sent. */
function Sent({ id, user }: { id: number; user: Person }) {
  useEffect(() => {
    const timer = setTimeout(() => dismissSent(id), sentStaysMs);
    return () => {
      clearTimeout(timer);
      dismissSent(id);
    };
  }, [id]);

  return (
    <div className={classes.card} data-passing>
      <Notice kind="success">{t('Sent to {name}', { name: memberName(user) })}</Notice>
    </div>
  );
}

interface DecisionNoticesProps {
  /** The field to write the first message of a match in. */
  firstMessageTo: (match: NewMatch, onSent: () => void) => ReactNode;
}

/** What became of the member's decisions, above the page: sent notes, problems and new matches. */
export function DecisionNotices({ firstMessageTo }: DecisionNoticesProps) {
  const problem = useDecisions((state) => state.problem);
  const sent = useDecisions((state) => state.sent);
  const [match, next] = useDecisions((state) => state.matches);
  const hasDecided = useDecisions((state) => state.decided.length > 0);
  const leaveMoment = useBackCloses(match?.matchId ?? null, dismissMatch);
  const way = nextSteps[problem?.code ?? ''];

  useEffect(() => {
    if (hasDecided) whenIdle(moment.preload);
  }, [hasDecided]);

  function closeMoment() {
    dismissMatch();
    if (next === undefined) leaveMoment();
  }

  return (
    <div className={classes.notices}>
      {sent !== null && problem === null && <Sent key={sent.id} {...sent} />}
      {problem !== null && (
        <div className={classes.card}>
          <Notice
            kind={way === undefined ? 'error' : 'warning'}
            action={
              <Group gap="0.5rem">
                {way !== undefined && (
                  <Button component={Link} to={way.to} variant="default" size="xs" onClick={dismissProblem}>
                    {t(way.text)}
                  </Button>
                )}
                <Button variant="subtle" color="gray" size="xs" onClick={dismissProblem}>
                  {t('Dismiss')}
                </Button>
              </Group>
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
            onClose={closeMoment}
          />
        </Suspense>
      )}
    </div>
  );
}
