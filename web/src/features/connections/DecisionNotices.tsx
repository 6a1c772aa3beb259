import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Button, Group } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { Link } from 'react-router';
import type { Person } from '#contract/profiles/user.ts';
import { LazyBoundary } from '../../ui/loading/LazyBoundary.tsx';
import { preloadable, whenIdle } from '../../ui/loading/preload.ts';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { useBackCloses } from '../../ui/feedback/use-back-closes.ts';
import { memberName } from '../../ui/text/person.ts';
import classes from './likes.module.css';
import { type NewMatch, useDecisions, useNotices } from './decisions.ts';

const sentStaysMs = 4000;

/** Fetched with the first decision. */
const [MatchMoment, preloadMatchMoment] = preloadable(async () => (await import('./MatchMoment.tsx')).MatchMoment);

/** A link to the next step, by error code. */
const nextSteps: Record<string, { to: string; text: MessageDescriptor }> = {
  LIKES_USED_UP: { to: '/app/premium', text: msg`What premium adds` },
  PREMIUM_REQUIRED: { to: '/app/premium', text: msg`What premium adds` },
  PHOTO_VERIFICATION_REQUIRED: { to: '/app/verify', text: msg`Verify my pictures` },
  AGE_ASSURANCE_REQUIRED: { to: '/app/verify-age', text: msg`Confirm my age` },
  CONFLICT: { to: '/app/matches', text: msg`See your matches` },
  EMAIL_NOT_VERIFIED: { to: '/app/verify-email', text: msg`Confirm email` },
  PROFILE_INCOMPLETE: { to: '/app/welcome', text: msg`Finish your profile` },
};

const dismissProblem = () => useNotices.setState({ problem: null });
const dismissMatch = () => useNotices.setState(({ matches }) => ({ matches: matches.slice(1) }));

/** Confirms once, for a moment, that a like and its note were sent. */
function NoteSent({ user }: { user: Person }) {
  useEffect(() => {
    const dismiss = () => useNotices.setState(({ noteSentTo }) => (noteSentTo === user ? { noteSentTo: null } : {}));
    const timer = setTimeout(dismiss, sentStaysMs);
    return () => {
      clearTimeout(timer);
      dismiss();
    };
  }, [user]);

  return (
    <div className={classes.card} data-passing>
      <Notice kind="success">{t`Sent to ${{ name: memberName(user) }}`}</Notice>
    </div>
  );
}

interface DecisionNoticesProps {
  /** Renders the field for the first message of a match. */
  firstMessageTo: (match: NewMatch, onSent: () => void) => ReactNode;
}

/** The results of the member's decisions, above the page: sent notes, problems and new matches. */
export function DecisionNotices({ firstMessageTo }: DecisionNoticesProps) {
  const { problem, noteSentTo, matches } = useNotices();
  const [match, next] = matches;
  const hasDecided = useDecisions((decisions) => decisions.length > 0);
  const leaveMoment = useBackCloses(match?.matchId ?? null, dismissMatch);
  const nextStep = nextSteps[problem?.code ?? ''];

  useEffect(() => {
    return hasDecided ? whenIdle(preloadMatchMoment) : undefined;
  }, [hasDecided]);

  function closeMoment() {
    dismissMatch();
    if (next === undefined) leaveMoment();
  }

  return (
    <div className={classes.notices}>
      {noteSentTo !== null && problem === null && <NoteSent key={noteSentTo._id} user={noteSentTo} />}
      {problem !== null && (
        <div className={classes.card}>
          <Notice
            kind={nextStep === undefined ? 'error' : 'warning'}
            action={
              <Group gap="0.5rem">
                {nextStep !== undefined && (
                  <Button component={Link} to={nextStep.to} variant="default" size="xs" onClick={dismissProblem}>
                    {t(nextStep.text)}
                  </Button>
                )}
                <Button variant="subtle" color="gray" size="xs" onClick={dismissProblem}>
                  {t`Dismiss`}
                </Button>
              </Group>
            }
          >
            {problem.text}
          </Notice>
        </div>
      )}
      {match !== undefined && (
        <LazyBoundary onClose={closeMoment}>
          <MatchMoment
            key={match.matchId}
            match={match}
            firstMessage={firstMessageTo(match, dismissMatch)}
            onClose={closeMoment}
          />
        </LazyBoundary>
      )}
    </div>
  );
}
