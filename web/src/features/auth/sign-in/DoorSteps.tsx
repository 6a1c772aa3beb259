import { Suspense } from 'react';
import { lazyPart } from '../../../ui/loading/lazy-page.tsx';
import { useText } from '../../../ui/text/text.ts';
import { CodeStep } from './CodeStep.tsx';
import classes from './DoorSteps.module.css';
import { PasskeyDoor } from './PasskeyDoor.tsx';
import type { SignInOutcome } from './sign-in.ts';
import { staffSetUpReason } from './staff-words.ts';

const staffSetUpPart = lazyPart(() => import('./StaffSetUp.tsx').then((module) => module.StaffSetUp));

interface DoorStepsProps {
  /** What has come of signing in so far; null before. */
  outcome: SignInOutcome | null;
  /** What was typed: whoever sets a second factor up need not type it again. */
  password: string;
  staffOnly?: boolean;
  onOutcome: (outcome: SignInOutcome | null) => void;
}

/** What a door has besides address and password: passkeys before, a code or the set-up of a second factor after. */
export function DoorSteps({ outcome, password, staffOnly = false, onOutcome }: DoorStepsProps) {
  const t = useText();
  const door = { staffOnly, onOutcome };
  if (outcome === null || 'refused' in outcome || 'notAdmin' in outcome) return <PasskeyDoor {...door} />;
  if ('challenge' in outcome)
    return <CodeStep {...door} challenge={outcome.challenge} onRestart={() => onOutcome(null)} />;
  return (
    <Suspense>
      <section className={classes.step} aria-labelledby="second-step">
        <div>
          <h3 id="second-step" className={classes.title}>
            {t('Set up your second step')}
          </h3>
          <p className={classes.soft}>{t(staffSetUpReason)}</p>
        </div>
        <staffSetUpPart.Part
          password={password}
          onDone={() => onOutcome({ user: outcome.user })}
          onStartAgain={() => onOutcome(null)}
        />
      </section>
    </Suspense>
  );
}
