import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Button, Group } from '@mantine/core';
import { useEffect, useEffectEvent, useState } from 'react';
import {
  type CaseStep,
  heartbeatSeconds,
  type StaffCase,
  type HandlingStep,
  handlingSteps,
  stepsWithReason,
} from '#contract/moderation/cases.ts';
import { useMay } from '../../../api/session/permission.ts';
import { Time } from '../../../ui/data/Time.tsx';
import { ErrorNotice, Notice } from '../../../ui/feedback/Notice.tsx';
import { LazyReasonDialog } from '../../../ui/feedback/LazyReasonDialog.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { KeyHint, usePageActions } from '../../../ui/keyboard/shortcuts.tsx';
import { Panel } from '../../../ui/layout/Page.tsx';
import { PriorityTag } from '../reports/ReportMarks.tsx';
import { stepWords } from './case-words.ts';
import type { Done } from './CaseDesk.tsx';
import { CriticalMark, HolderMark, StageTag, TimeLeft } from './CaseMarks.tsx';
import { useCaseStep, useClaim, useHeartbeat } from './queries.ts';
import desk from './desk.module.css';

/** Renews the viewer's claim on the case while the page is visible; when it is closed or hidden, the claim expires. */
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

const explanations: Partial<Record<HandlingStep, MessageDescriptor>> = {
  escalate: msg`A senior colleague takes over, and you no longer have the case.`,
  waitForAuthority: msg`Say which authority was contacted, and what it was told. The clock stops until the case is resumed.`,
  reopen: msg`The most recently closed reports return to “In progress”, and the case is assigned to you.`,
};

interface StepDialogProps {
  step: HandlingStep;
  command: ReturnType<typeof useCaseStep>;
  onDone: (changed: StaffCase) => void;
  onClose: () => void;
}

function StepDialog({ step, command, onDone, onClose }: StepDialogProps) {
  const explanation = explanations[step];
  const finish = {
    onSuccess: (data: { case: StaffCase }) => {
      onClose();
      onDone(data.case);
    },
  };
  return (
    <LazyReasonDialog
      title={t(stepWords[step])}
      description={t`Kept in the timeline and the audit trail.`}
      confirm={t(stepWords[step])}
      command={command}
      onConfirm={(reason) => command.mutate({ step, reason }, finish)}
      onClose={onClose}
    >
      {explanation && t(explanation)}
    </LazyReasonDialog>
  );
}

/** The step that undoes each step. People who escalate a case cannot undo that. */
const backOf: Partial<Record<CaseStep, HandlingStep>> = {
  claim: 'release',
  assign: 'release',
  waitForReporter: 'resume',
  waitForAuthority: 'resume',
};

const doneTexts: Record<'claim' | HandlingStep, MessageDescriptor> = {
  claim: msg`Claimed. It is yours for ten minutes, and longer while this page is open.`,
  release: msg`Released.`,
  assign: msg`Assigned to you.`,
  escalate: msg`Escalated.`,
  waitForReporter: msg`The clock is stopped until the reporter answers.`,
  waitForAuthority: msg`The clock has stopped.`,
  resume: msg`The clock runs again.`,
  reopen: msg`Reopened. You have the case.`,
};

interface CaseStepsProps {
  of: StaffCase;
  onDecide: () => void;
  /** Opens the form for writing to the reporter or for an internal note; null if there is no report. */
  onWrite: ((what: 'reply' | 'note') => void) | null;
  /** Whether someone reads a reply. */
  hasReporters: boolean;
  onDone: (done: Done) => void;
}

const isOthers = ({ stage, isMine }: StaffCase) => stage === 'claimed' && !isMine;

/** The stage of a case, the remaining time, who handles it, and its dates. */
export function CaseHandling({ of }: { of: StaffCase }) {
  return (
    <Panel title={t`Handling`} actions={<StageTag stage={of.stage} />}>
      <Group gap="0.4rem" mb="0.75rem">
        <PriorityTag priority={of.priority} />
        <CriticalMark because={of.criticalBecause} />
        <TimeLeft of={of} />
      </Group>
      <Group gap="0.15rem 1rem" c="dimmed" fz="note">
        {of.holder !== null && <HolderMark holder={of.holder} />}
        <span>
          {t`Opened`} <Time at={of.openedAt} />
        </span>
        {of.respondedAt !== null && (
          <span>
            {t`First answered`} <Time at={of.respondedAt} />
          </span>
        )}
      </Group>
      {isOthers(of) && (
        <Notice kind="info" mt="1rem">{t`${{ name: of.holder?.name ?? '' }} is handling this case right now.`}</Notice>
      )}
    </Panel>
  );
}

interface KeyedButtonProps {
  /** The keyboard shortcut for the same action. */
  of: string;
  text: string;
  variant?: 'default' | 'filled';
  isDisabled?: boolean;
  onPress: () => void;
}

function KeyedButton({ of, text, variant = 'default', isDisabled = false, onPress }: KeyedButtonProps) {
  return (
    <Button variant={variant} aria-keyshortcuts={of} aria-disabled={isDisabled || undefined} onClick={onPress}>
      {text}
      <KeyHint of={of} />
    </Button>
  );
}

/** The steps that are possible in a case. */
export function CaseSteps({ of, onDecide, onWrite, hasReporters, onDone }: CaseStepsProps) {
  const claim = useClaim(of._id);
  const step = useCaseStep(of._id);
  const mayWrite = useMay('reports.handle');
  const [asked, setAsked] = useState<HandlingStep | null>(null);
  useKeptClaim(of);
  const can = (one: CaseStep) => of.can.steps.includes(one);
  const canClaim = can('claim') && !(of.stage === 'claimed' && of.isMine);

  const finished = (taken: 'claim' | HandlingStep, changed: StaffCase) => {
    const back = backOf[taken];
    const isPossible = back !== undefined && changed.can.steps.includes(back);
    onDone({ caseId: of._id, text: t(doneTexts[taken]), back: isPossible ? back : null });
  };
  const takeIt = () => claim.mutate(undefined, { onSuccess: (data) => finished('claim', data.case) });
  function take(wanted: HandlingStep) {
    if (!can(wanted) || step.isPending) return;
    if (stepsWithReason.includes(wanted) || isOthers(of)) setAsked(wanted);
    else step.mutate({ step: wanted }, { onSuccess: (data) => finished(wanted, data.case) });
  }

  const write = mayWrite && !isOthers(of) ? onWrite : null;
  const rare = handlingSteps.filter(
    (one) =>
      can(one) &&
      one !== 'escalate' &&
      (one !== 'waitForReporter' || hasReporters) &&
      // Claiming comes first, because the two buttons would do the same.
      (one !== 'assign' || !canClaim),
  );
  usePageActions([
    ...(canClaim ? [{ key: 'c', text: t`Claim`, run: takeIt }] : []),
    ...(can('decide') ? [{ key: 'd', text: t`Decide`, run: onDecide }] : []),
    ...(write === null
      ? []
      : [
          ...(hasReporters ? [{ key: 'r', text: t`Reply to the reporter`, run: () => write('reply') }] : []),
          { key: 'n', text: t`Internal note`, run: () => write('note') },
        ]),
    ...(can('escalate') ? [{ key: 'e', text: t`Escalate`, run: () => take('escalate') }] : []),
    ...rare.map((one) => ({ text: t(stepWords[one]), run: () => take(one) })),
  ]);

  return (
    <>
      {asked === null && <ErrorNotice error={claim.error ?? step.error} />}
      <div className={desk.steps}>
        <div className={desk.common}>
          {can('decide') && <KeyedButton of="d" variant="filled" text={t`Decide`} onPress={onDecide} />}
          {canClaim && (
            <BusyButton
              variant={can('decide') ? 'default' : 'filled'}
              isBusy={claim.isPending}
              busyText={t`Claiming...`}
              aria-keyshortcuts="c"
              onClick={takeIt}
            >
              {t`Claim`}
              <KeyHint of="c" />
            </BusyButton>
          )}
          {write !== null && (
            <>
              {hasReporters && <KeyedButton of="r" text={t`Reply`} onPress={() => write('reply')} />}
              <KeyedButton of="n" text={t`Note`} onPress={() => write('note')} />
            </>
          )}
          {can('escalate') && (
            <KeyedButton of="e" text={t`Escalate`} isDisabled={step.isPending} onPress={() => take('escalate')} />
          )}
        </div>
        {rare.length > 0 && (
          <div className={desk.rare}>
            {rare.map((one) => (
              <Button
                key={one}
                variant="subtle"
                size="xs"
                aria-disabled={step.isPending || undefined}
                onClick={() => take(one)}
              >
                {t(stepWords[one])}
              </Button>
            ))}
          </div>
        )}
      </div>
      {asked !== null && (
        <StepDialog
          step={asked}
          command={step}
          onDone={(changed) => finished(asked, changed)}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );
}
