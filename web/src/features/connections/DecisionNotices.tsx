import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { useEffect } from 'react';
import { Link } from 'react-router';
import type { Person } from '#contract/profiles/user.ts';
import { ClosableNotice, Notice } from '../../ui/feedback/Notice.tsx';
import { memberName } from '../../ui/text/person.ts';
import classes from './likes.module.css';
import { useNotices } from './decisions.ts';

const sentStaysMs = 4000;

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
    <div className={classes.passing}>
      <Notice kind="success">{t`Sent to ${{ name: memberName(user) }}`}</Notice>
    </div>
  );
}

/** The results of the member's decisions, above the page: sent notes and problems. */
export function DecisionNotices() {
  const { problem, noteSentTo } = useNotices();
  const nextStep = nextSteps[problem?.code ?? ''];

  return (
    <div className={classes.notices}>
      {noteSentTo !== null && problem === null && <NoteSent key={noteSentTo._id} user={noteSentTo} />}
      {problem !== null && (
        <ClosableNotice
          kind={nextStep === undefined ? 'error' : 'warning'}
          action={
            nextStep !== undefined && (
              <Button component={Link} to={nextStep.to} variant="default" size="xs" onClick={dismissProblem}>
                {t(nextStep.text)}
              </Button>
            )
          }
          onClose={dismissProblem}
        >
          {problem.text}
        </ClosableNotice>
      )}
    </div>
  );
}
