import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { reasonMaxLength } from '#contract/constants.ts';
import { type CaseLine, mayTakeStep } from '#contract/moderation/case.ts';
import { claimCase, handleCase, type HandlingStep } from '#contract/moderation/cases.ts';
import { call } from '../../../api/call.ts';
import { Tag } from '../../../ui/data/Tag.tsx';
import { Dialog } from '../../../ui/feedback/Dialog.tsx';
import { reasonOf } from '../../../ui/feedback/Notice.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { TextArea } from '../../../ui/form/Field.tsx';
import { t } from '../../../ui/text/text.ts';
import { personWord } from '../reports/report-words.ts';
import { stepWords } from './case-words.ts';
import { StageTag } from './CaseMarks.tsx';
import { reloadCase } from './queries.ts';
import classes from './cases.module.css';

/** What can be done with several cases at once. Deciding is not among them: a decision needs its evidence on the screen. */
export type BulkStep = 'claim' | 'assign' | 'escalate' | 'release';

const bulkWords: Record<BulkStep, string> = { ...stepWords, claim: 'Claim' };
const backOf: Partial<Record<BulkStep, HandlingStep>> = { claim: 'release', assign: 'release' };

type Outcome = 'done' | 'undone' | { refused: string };

interface CaseBulkProps {
  step: BulkStep;
  cases: readonly CaseLine[];
  /** `hasRun`: the step was taken, so the selection is done with. */
  onClose: (hasRun: boolean) => void;
}

function OutcomeTag({ line, step, outcome }: { line: CaseLine; step: BulkStep; outcome: Outcome | undefined }) {
  if (outcome === 'done') return <Tag tone="positive">{t('Done')}</Tag>;
  if (outcome === 'undone') return <Tag tone="quiet">{t('Undone')}</Tag>;
  if (outcome !== undefined) return <Tag tone="accent">{t(outcome.refused)}</Tag>;
  if (!mayTakeStep(line.stage, step)) return <Tag tone="quiet">{t('Not possible in this stage')}</Tag>;
  return <StageTag stage={line.stage} />;
}

/** Takes one step with several cases: shows first which ones, then how each went, and takes back what can be taken back. */
export function CaseBulk({ step, cases, onClose }: CaseBulkProps) {
  const client = useQueryClient();
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map());
  const [isRunning, setRunning] = useState(false);
  const [reason, setReason] = useState('');
  const [isMissing, setMissing] = useState(false);
  const fitting = cases.filter(({ stage }) => mayTakeStep(stage, step));
  const done = cases.filter(({ _id }) => outcomes.get(_id) === 'done');
  const back = backOf[step];
  const hasRun = outcomes.size > 0;

  /** One after another, so that what is shown is what has happened. */
  async function run(lines: readonly CaseLine[], wanted: BulkStep | HandlingStep, success: Outcome) {
    setRunning(true);
    for (const { _id: id } of lines) {
      const params = { id };
      const sent =
        wanted === 'claim'
          ? call(claimCase, { params })
          : call(handleCase, {
              params,
              body: { step: wanted, ...(wanted === 'escalate' && { reason: reason.trim() }) },
            });
      const outcome = await sent.then(
        () => success,
        (error: unknown): Outcome => ({ refused: error instanceof Error ? reasonOf(error) : 'Failed' }),
      );
      setOutcomes((before) => new Map(before).set(id, outcome));
      reloadCase(client, id);
    }
    setRunning(false);
  }

  function start() {
    if (step === 'escalate' && reason.trim() === '') return setMissing(true);
    void run(fitting, step, 'done');
  }

  return (
    <Dialog
      title={t('{step}: {count, plural, one {# case} other {# cases}}', {
        step: t(bulkWords[step]),
        count: fitting.length,
      })}
      size="narrow"
      onClose={() => onClose(hasRun)}
      actions={
        <>
          {hasRun && back !== undefined && done.length > 0 && (
            <BusyButton
              variant="default"
              isBusy={isRunning}
              busyText={t('Saving...')}
              onClick={() => void run(done, back, 'undone')}
            >
              {t('Undo')}
            </BusyButton>
          )}
          <Button variant={hasRun ? 'filled' : 'default'} onClick={() => onClose(hasRun)}>
            {t(hasRun ? 'Close' : 'Cancel')}
          </Button>
          {!hasRun && (
            <BusyButton isBusy={isRunning} busyText={t('Saving...')} disabled={fitting.length === 0} onClick={start}>
              {t(bulkWords[step])}
            </BusyButton>
          )}
        </>
      }
    >
      <div className={classes.form}>
        {step === 'escalate' && !hasRun && (
          <TextArea
            label={t('Reason')}
            required
            rows={2}
            maxLength={reasonMaxLength}
            data-autofocus
            value={reason}
            error={isMissing ? t('Please give a reason') : undefined}
            onChange={(event) => {
              setReason(event.currentTarget.value);
              setMissing(false);
            }}
          />
        )}
        <ul className={classes.parties} aria-live="polite">
          {cases.map((line) => (
            <li key={line._id} className={classes.party}>
              <strong dir="auto">{personWord(line.person)}</strong>
              <OutcomeTag line={line} step={step} outcome={outcomes.get(line._id)} />
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  );
}
