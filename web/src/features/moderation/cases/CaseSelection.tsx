import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { CaseLine } from '#contract/moderation/cases.ts';
import { useMay } from '../../../api/session/permission.ts';
import { SelectionBar } from '../../../ui/data/table/ListParts.tsx';
import { usePageActions } from '../../../ui/keyboard/shortcuts.tsx';
import { stepWords } from './case-words.ts';
import type { BulkStep } from './CaseBulk.tsx';
import { addressIn, type CaseList, type Walk } from './queries.ts';

const none: ReadonlySet<string> = new Set();

/** The selected cases, and the keyboard shortcuts for selecting. */
export function useCaseSelection(lines: readonly CaseLine[], currentId: string | null, maySelect: boolean) {
  const [selected, setSelected] = useState(none);
  const toggle = (id: string) =>
    setSelected((before) => {
      const next = new Set(before);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  const chosen = lines.filter(({ _id }) => selected.has(_id));
  const hasAll = chosen.length === lines.length;

  usePageActions(
    !maySelect || lines.length === 0
      ? []
      : [
          ...(currentId === null
            ? []
            : [{ key: 'x', text: t`Select or unselect the marked case`, run: () => toggle(currentId) }]),
          {
            key: 'X',
            text: hasAll ? t`Select none` : t`Select all shown cases`,
            run: () => setSelected(hasAll ? none : new Set(lines.map(({ _id }) => _id))),
          },
        ],
  );
  return { selected, toggle, chosen, clear: () => setSelected(none) };
}

const stepLabels: Record<BulkStep, MessageDescriptor> = {
  ...stepWords,
  claim: msg`Claim`,
  assignTo: msg`Assign to…`,
  note: msg`Add note`,
};
const bulkSteps: readonly BulkStep[] = ['claim', 'assign', 'assignTo', 'escalate', 'release', 'note'];

interface BulkBarProps {
  list: CaseList;
  cases: readonly CaseLine[];
  onStep: (step: BulkStep) => void;
  onClear: () => void;
}

/** The actions for the selected cases. */
export function BulkBar({ list, cases, onStep, onClear }: BulkBarProps) {
  const navigate = useNavigate();
  const mayLead = useMay('cases.lead');

  function walk() {
    const state: { walk: Walk } = {
      walk: { cases: cases.map(({ _id: id, holder }) => ({ id, holderId: holder?._id ?? null })), seen: [] },
    };
    void navigate(addressIn(list, cases[0]?._id), { state });
  }

  return (
    <SelectionBar label={t`Selected cases`} count={cases.length}>
      <Button size="xs" onClick={walk}>
        {t`Open one by one`}
      </Button>
      {bulkSteps
        .filter((step) => step !== 'assignTo' || mayLead)
        .map((step) => (
          <Button key={step} variant="default" size="xs" onClick={() => onStep(step)}>
            {t(stepLabels[step])}
          </Button>
        ))}
      <Button variant="subtle" size="xs" onClick={onClear}>
        {t`Clear`}
      </Button>
    </SelectionBar>
  );
}
