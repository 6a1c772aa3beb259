import { Button } from '@mantine/core';
import { useEffect, useEffectEvent, useState } from 'react';
import { heartbeatSeconds, type StaffCase } from '#contract/moderation/case.ts';
import { type HandlingStep, handlingSteps, stepsWithReason } from '#contract/moderation/cases.ts';
import { Facts } from '../../../ui/data/Facts.tsx';
import { Time } from '../../../ui/data/Time.tsx';
import { ErrorNotice, Notice, reasonOf } from '../../../ui/feedback/Notice.tsx';
import { ReasonDialog } from '../../../ui/feedback/ReasonDialog.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { useSingleKeys } from '../../../ui/keyboard/single-keys.ts';
import { Panel } from '../../../ui/layout/Page.tsx';
import { t } from '../../../ui/text/text.ts';
import { PriorityTag } from '../reports/ReportMarks.tsx';
import { stepWords } from './case-words.ts';
import { CriticalMark, HolderMark, StageTag, TimeLeft } from './CaseMarks.tsx';
import { useCaseStep, useClaim, useHeartbeat } from './queries.ts';
import classes from './cases.module.css';

/** Renews the caller's claim while the page is in view; a closed or hidden tab lets it run out. */
function useKeptClaim({ _id: id, stage, isMine }: StaffCase): void {
  const { mutate } = useHeartbeat(id);
  const beat = useEffectEvent(() => {
    if (document.visibilityState === 'visible') mutate();
  });
  const isClaimed = stage === 'claimed' && isMine;
  useEffect(() => {
    if (!isClaimed) return;
    const timer = setInterval(() => beat(), heartbeatSeconds * 1000);
    return () => clearInterval(timer);
  }, [isClaimed]);
}

const explanations: Partial<Record<HandlingStep, string>> = {
  escalate: 'An administrator takes over, and you no longer have the case.',
  waitForAuthority: 'Say which authority and what it was told. The clock stops until the case is resumed.',
  reopen: 'Its last reports go back to in progress, and you have the case.',
};

interface StepDialogProps {
  step: HandlingStep;
  command: ReturnType<typeof useCaseStep>;
  onClose: () => void;
}

function StepDialog({ step, command, onClose }: StepDialogProps) {
  return (
    <ReasonDialog
      title={t(stepWords[step])}
      description={t('Kept in the timeline and the audit trail.')}
      confirm={t(stepWords[step])}
      busyText={t('Saving...')}
      isBusy={command.isPending}
      error={command.error && t(reasonOf(command.error))}
      onConfirm={(reason) => command.mutate({ step, reason }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>{t(explanations[step] ?? '')}</p>
    </ReasonDialog>
  );
}

interface CaseHandlingProps {
  of: StaffCase;
  onDecide: () => void;
  onKeysHelp: () => void;
}

/** Where a case is, how much time is left, and the steps that can be taken. */
export function CaseHandling({ of, onDecide, onKeysHelp }: CaseHandlingProps) {
  const claim = useClaim(of._id);
  const step = useCaseStep(of._id);
  const [asked, setAsked] = useState<HandlingStep | null>(null);
  useKeptClaim(of);
  const canClaim = of.can.steps.includes('claim') && !(of.stage === 'claimed' && of.isMine);
  const isOthers = of.stage === 'claimed' && !of.isMine;

  function take(wanted: HandlingStep) {
    if (!of.can.steps.includes(wanted)) return;
    step.reset();
    if (stepsWithReason.includes(wanted)) setAsked(wanted);
    else step.mutate({ step: wanted });
  }

  useSingleKeys({
    c: () => canClaim && claim.mutate(),
    e: () => take('escalate'),
    d: () => of.can.steps.includes('decide') && onDecide(),
    '?': onKeysHelp,
  });

  return (
    <Panel title={t('Handling')} actions={<StageTag stage={of.stage} />}>
      <div className={classes.marks}>
        <PriorityTag priority={of.priority} />
        <CriticalMark because={of.criticalBecause} />
      </div>
      <Facts
        facts={[
          [t('Time left'), <TimeLeft of={of} />, true],
          [t('Handled by'), <HolderMark holder={of.holder} />],
          [t('Opened'), <Time at={of.openedAt} />],
          of.respondedAt !== null && [t('First answered'), <Time at={of.respondedAt} />],
        ]}
      />
      {isOthers && (
        <div className={classes.notice}>
          <Notice kind="info">{t('{name} is handling this case right now.', { name: of.holder?.name ?? '' })}</Notice>
        </div>
      )}
      {asked === null && <ErrorNotice error={claim.error ?? step.error} />}
      <div className={classes.steps}>
        {canClaim && (
          <BusyButton
            isBusy={claim.isPending}
            busyText={t('Claiming...')}
            aria-keyshortcuts="c"
            onClick={() => claim.mutate()}
          >
            {t('Claim')}
          </BusyButton>
        )}
        {of.can.steps.includes('decide') && (
          <Button variant={canClaim ? 'default' : 'filled'} aria-keyshortcuts="d" onClick={onDecide}>
            {t('Decide')}
          </Button>
        )}
        {handlingSteps
          .filter((one) => of.can.steps.includes(one))
          .map((one) => (
            <Button key={one} variant="default" size="sm" disabled={step.isPending} onClick={() => take(one)}>
              {t(stepWords[one])}
            </Button>
          ))}
      </div>
      {asked !== null && <StepDialog step={asked} command={step} onClose={() => setAsked(null)} />}
    </Panel>
  );
}
