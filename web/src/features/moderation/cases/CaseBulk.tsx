import type { MessageDescriptor } from '@lingui/core';
import { msg, plural, t } from '@lingui/core/macro';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { reasonMaxLength, reportTextMaxLength, searchMaxLength } from '#contract/constants.ts';
import {
  type CaseLine,
  mayTakeStep,
  claimCase,
  handleCase,
  listColleagues,
  noteOnCase,
} from '#contract/moderation/cases.ts';
import { roleNames } from '#contract/roles.ts';
import { useEndpoint } from '../../../api/endpoint-query.ts';
import { ApiError } from '../../../api/api-error.ts';
import { call } from '../../../api/call.ts';
import { Tag } from '../../../ui/data/Tag.tsx';
import { Dialog } from '../../../ui/feedback/Dialog.tsx';
import { reasonOf } from '../../../ui/feedback/Notice.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { SelectField, TextArea, TextField } from '../../../ui/form/Field.tsx';
import { unitsFor } from '../../../ui/text/text.ts';
import { personWord } from '../reports/report-words.ts';
import { stepWords } from './case-words.ts';
import { StageTag } from './CaseMarks.tsx';
import { reloadCase } from './queries.ts';

/**
 * The steps that can be taken with several cases at once. Deciding is not one of them, because a decision needs its
 * evidence on the screen.
 */
export type BulkStep = 'claim' | 'assign' | 'assignTo' | 'escalate' | 'release' | 'note';

const bulkWords: Record<BulkStep, MessageDescriptor> = {
  ...stepWords,
  claim: msg`Claim`,
  assignTo: msg`Assign`,
  note: msg`Add note`,
};
const canUndo = (step: BulkStep) => step === 'claim' || step === 'assign' || step === 'assignTo';

/** Whether a step can be tried at this stage. Notes are possible at every stage. */
const fits = (stage: CaseLine['stage'], step: BulkStep) =>
  step === 'note' || mayTakeStep(stage, step === 'assignTo' ? 'assign' : step);

type Outcome = 'done' | 'undone' | { refused: string };

interface CaseBulkProps {
  step: BulkStep;
  cases: readonly CaseLine[];
  /** `hasRun` is true if the step was taken, so the selection can be cleared. */
  onClose: (hasRun: boolean) => void;
}

function OutcomeTag({ line, step, outcome }: { line: CaseLine; step: BulkStep; outcome: Outcome | undefined }) {
  if (outcome === 'done') return <Tag tone="positive">{t`Done`}</Tag>;
  if (outcome === 'undone') return <Tag tone="quiet">{t`Undone`}</Tag>;
  if (outcome !== undefined) return <Tag tone="accent">{outcome.refused}</Tag>;
  if (!fits(line.stage, step)) return <Tag tone="quiet">{t`Not possible at this stage`}</Tag>;
  return <StageTag stage={line.stage} />;
}

interface Given {
  words: string;
  assigneeId: string;
}

/** Assigns a case back to the colleague who had it, or releases it. */
function giveBack({ _id: id, stage, holder }: CaseLine): Promise<unknown> {
  const assigneeId = stage === 'assigned' ? (holder?._id ?? undefined) : undefined;
  const body = assigneeId === undefined ? { step: 'release' as const } : { step: 'assign' as const, assigneeId };
  return call(handleCase, { params: { id }, body });
}

/** Takes one step with one case. */
function send(line: CaseLine, step: BulkStep | 'undo', { words, assigneeId }: Given): Promise<unknown> {
  if (step === 'undo') return giveBack(line);
  const params = { id: line._id };
  if (step === 'claim') return call(claimCase, { params });
  if (step === 'note') return call(noteOnCase, { params, body: { text: words } });
  if (step === 'assignTo') return call(handleCase, { params, body: { step: 'assign', assigneeId } });
  return call(handleCase, { params, body: { step, ...(step === 'escalate' && { reason: words }) } });
}

/** The reason why a case was skipped. It does not reveal who is involved in the case. */
function refusalOf(error: unknown, step: BulkStep | 'undo'): string {
  if (step === 'assignTo' && error instanceof ApiError && error.status === 404)
    return t`This colleague can’t handle this case`;
  return error instanceof Error ? reasonOf(error) : t`Failed`;
}

const typingPauseMs = 200;

/** A field for choosing a colleague who may handle cases. A long list can be searched by name. */
function Assignee({
  value,
  error,
  onChoose,
}: {
  value: string;
  error: string | undefined;
  onChoose: (id: string) => void;
}) {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), typingPauseMs);
  const query = useEndpoint(listColleagues, { query: { search } }, { placeholderData: keepPreviousData });
  const found = query.data?.colleagues ?? [];
  const isKnown = found.some(({ _id }) => _id === value);
  return (
    <>
      <TextField
        label={t`Find by name`}
        type="search"
        data-autofocus
        maxLength={searchMaxLength}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          onChoose('');
        }}
      />
      <SelectField
        label={t`Colleague`}
        required
        error={error ?? (query.error === null ? undefined : reasonOf(query.error))}
        value={isKnown ? value : ''}
        choices={[
          { value: '', label: found.length === 0 && query.isSuccess ? t`No one found` : t`Choose a colleague` },
          ...found.map(({ _id, name, role }) => ({ value: _id, label: `${name} · ${t(roleNames[role])}` })),
        ]}
        onChange={(event) => onChoose(event.currentTarget.value)}
      />
      {query.data?.isMore === true && <Text c="dimmed">{t`There are more: type a part of the name.`}</Text>}
    </>
  );
}

const isWritten = (step: BulkStep) => step === 'escalate' || step === 'note';

interface BulkFieldsProps {
  step: BulkStep;
  given: Given;
  isMissing: boolean;
  onGive: (change: Partial<Given>) => void;
}

/** The fields that a step needs. */
function BulkFields({ step, given, isMissing, onGive }: BulkFieldsProps) {
  if (step === 'assignTo')
    return (
      <Assignee
        value={given.assigneeId}
        error={isMissing ? t`Choose a colleague` : undefined}
        onChoose={(assigneeId) => onGive({ assigneeId })}
      />
    );
  if (!isWritten(step)) return null;
  const isNote = step === 'note';
  return (
    <>
      <TextArea
        label={isNote ? t`Internal note` : t`Reason`}
        required
        rows={isNote ? 4 : 2}
        maxLength={unitsFor(isNote ? reportTextMaxLength : reasonMaxLength)}
        data-autofocus
        value={given.words}
        error={isMissing ? (isNote ? t`Please write a note` : t`Please give a reason`) : undefined}
        onChange={(event) => onGive({ words: event.currentTarget.value })}
      />
      {isNote && <Text c="dimmed">{t`It's added to the newest report of each case. Only staff can read it.`}</Text>}
    </>
  );
}

/**
 * Takes one step with several cases: lists the cases first, then the result of each one, and can undo the steps that
 * allow it.
 */
export function CaseBulk({ step, cases, onClose }: CaseBulkProps) {
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map());
  const [isRunning, setRunning] = useState(false);
  const [given, setGiven] = useState<Given>({ words: '', assigneeId: '' });
  const [isMissing, setMissing] = useState(false);
  const fitting = cases.filter(({ stage }) => fits(stage, step));
  const done = cases.filter(({ _id }) => outcomes.get(_id) === 'done');
  const hasRun = outcomes.size > 0;
  const needsMore = isWritten(step) ? given.words.trim() === '' : step === 'assignTo' && given.assigneeId === '';

  function give(change: Partial<Given>) {
    setGiven((before) => ({ ...before, ...change }));
    setMissing(false);
  }

  /** Processes the cases one after the other, so that the screen always shows what has been done. */
  async function run(lines: readonly CaseLine[], wanted: BulkStep | 'undo', success: Outcome) {
    setRunning(true);
    for (const line of lines) {
      const id = line._id;
      const outcome = await send(line, wanted, { ...given, words: given.words.trim() }).then(
        () => success,
        (error: unknown): Outcome => ({ refused: refusalOf(error, wanted) }),
      );
      setOutcomes((before) => new Map(before).set(id, outcome));
      reloadCase(id);
    }
    setRunning(false);
  }

  function start() {
    if (needsMore) return setMissing(true);
    void run(fitting, step, 'done');
  }

  return (
    <Dialog
      title={t`${{ step: t(bulkWords[step]) }}: ${plural({ count: fitting.length }, { one: '# case', other: '# cases' })}`}
      size="narrow"
      onClose={() => onClose(hasRun)}
      actions={
        <>
          {hasRun && canUndo(step) && done.length > 0 && (
            <BusyButton
              variant="default"
              isBusy={isRunning}
              busyText={t`Saving...`}
              onClick={() => void run(done, 'undo', 'undone')}
            >
              {t`Undo`}
            </BusyButton>
          )}
          <Button variant={hasRun ? 'filled' : 'default'} onClick={() => onClose(hasRun)}>
            {hasRun ? t`Close` : t`Cancel`}
          </Button>
          {!hasRun && (
            <BusyButton isBusy={isRunning} busyText={t`Saving...`} disabled={fitting.length === 0} onClick={start}>
              {t(bulkWords[step])}
            </BusyButton>
          )}
        </>
      }
    >
      <Stack>
        {!hasRun && <BulkFields step={step} given={given} isMissing={isMissing} onGive={give} />}
        <Stack component="ul" gap="0.5rem" aria-live="polite">
          {cases.map((line) => (
            <Group key={line._id} component="li" gap="0.2rem 0.75rem">
              <strong dir="auto">{personWord(line.person)}</strong>
              <OutcomeTag line={line} step={step} outcome={outcomes.get(line._id)} />
            </Group>
          ))}
        </Stack>
      </Stack>
    </Dialog>
  );
}
