import { msg, t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import {
  type CaseFilters,
  caseOrders,
  type CaseView,
  caseViews,
  type SavedCaseView,
} from '#contract/moderation/case-list.ts';
import { changeCaseView, deleteCaseView, saveCaseView } from '#contract/moderation/case-views.ts';
import { reportPriorities, reportTypes, reportTypeWords } from '#contract/moderation/reports.ts';
import { useCommand } from '../../../api/endpoint-query.ts';
import { useSaveView } from '../../../api/saved-views.ts';
import { useMay } from '../../../api/session/permission.ts';
import {
  optionsOf,
  ChosenChips,
  FilterBar,
  FilterChips,
  FilterChoices,
  FilterSelect,
} from '../../../ui/data/table/ListFilters.tsx';
import { useSavedList } from '../../../ui/data/table/use-saved-list.tsx';
import { SavedLinks } from '../../../ui/data/table/ViewLinks.tsx';
import { useSingleKeys } from '../../../ui/keyboard/shortcuts.tsx';
import { priorityWords } from '../reports/report-words.ts';
import { orderWords, viewWords } from './case-words.ts';
import { countText, listText } from './CaseMarks.tsx';
import { QueueLinks } from './QueueLinks.tsx';
import { addressIn, type CaseList, isOpenList, listNamed, savedListsQuery } from './queries.ts';

const priorities = optionsOf(reportPriorities, priorityWords);
const types = optionsOf(reportTypes, reportTypeWords);
const orders = optionsOf(caseOrders, orderWords);

const plain: CaseFilters = { list: 'open', order: 'due' };

/** The current filters, with the saved list that they come from, if any; null for closed cases. */
function filtersOf(list: CaseList, saved: readonly SavedCaseView[]) {
  const own = saved.find(({ _id }) => _id === list.view);
  if (own !== undefined) return { filters: own.filters, from: own, isChanged: false };
  // The saved list has not been loaded yet or no longer exists.
  if (listNamed(list.view) === undefined) return { filters: plain, from: undefined, isChanged: false };
  if (!isOpenList(list.view)) return null;
  const { view, priority, type, order = 'due' } = list;
  const filters: CaseFilters = { list: view, priority, type, order };
  return { filters, from: saved.find(({ _id }) => _id === list.from), isChanged: true };
}

const isSame = (one: CaseFilters, other: CaseFilters) =>
  (['list', 'priority', 'type', 'order'] as const).every(
    (name) => String(one[name] ?? '') === String(other[name] ?? ''),
  );

interface FiltersProps {
  of: CaseFilters;
  onChoose: (change: Partial<CaseFilters>) => void;
}

function Filters({ of, onChoose }: FiltersProps) {
  return (
    <>
      <FilterChoices
        label={t`Priority`}
        allText={msg`All priorities`}
        chosen={of.priority}
        choices={priorities}
        onChoose={(priority) => onChoose({ priority })}
      />
      <FilterChoices
        label={t`Type`}
        allText={msg`All types`}
        chosen={of.type}
        choices={types}
        onChoose={(type) => onChoose({ type })}
      />
      <FilterSelect label={t`Sort`} value={of.order} choices={orders} onChoose={(order) => onChoose({ order })} />
    </>
  );
}

/** The chosen priorities and types, each with a button to remove it. */
function Chosen({ of, onChoose }: FiltersProps) {
  const { priority, type } = of;
  if (priority === undefined && type === undefined) return null;
  return (
    <FilterChips>
      <ChosenChips chosen={priority} choices={priorities} onChoose={(chosen) => onChoose({ priority: chosen })} />
      <ChosenChips chosen={type} choices={types} onChoose={(chosen) => onChoose({ type: chosen })} />
    </FilterChips>
  );
}

const savedTexts = {
  share: msg`Everyone who handles cases can see it. “Mine” shows each viewer their own cases.`,
  remove: msg`The cases in it are not affected.`,
};

/** The lists of the queue, the saved lists, and the filters. */
export function CaseLists({ list, counts }: { list: CaseList; counts: Partial<Record<CaseView, number>> | undefined }) {
  const navigate = useNavigate();
  const saved = useQuery(savedListsQuery).data ?? [];
  // The counts of the previous list stay visible while another list is loading.
  const [known, setKnown] = useState(counts);
  if (counts !== undefined && counts !== known) setKnown(counts);
  const current = filtersOf(list, saved);
  const { filters = plain, from, isChanged = false } = current ?? {};
  const show = (next: CaseList) => void navigate(addressIn(next));
  const save = useSaveView(saveCaseView, changeCaseView);
  const remove = useCommand(deleteCaseView, (id: string) => ({ params: { id } }));
  const saving = useSavedList({
    from,
    isChanged,
    canSave: !isSame(filters, { list: filters.list, order: 'due' }),
    summary: listText({ view: filters.list, ...filters }),
    texts: savedTexts,
    mayShare: useMay('cases.lead'),
    save: (body, of) => save.mutateAsync({ body: { ...body, filters }, of }),
    remove,
    onSaved: (id) => show({ view: id }),
    onDeleted: () => show({ view: filters.list }),
  });

  useSingleKeys(Object.fromEntries(caseViews.map((view, index) => [String((index + 1) % 10), () => show({ view })])));

  function choose(change: Partial<CaseFilters>) {
    const { list: view, priority, type, order } = { ...filters, ...change };
    if (from !== undefined && isSame(from.filters, { list: view, priority, type, order })) show({ view: from._id });
    else show({ view, priority, type, order: order === 'due' ? undefined : order, from: from?._id });
  }

  return (
    <>
      <QueueLinks
        label={t`Lists of cases`}
        views={caseViews}
        words={viewWords}
        current={from === undefined ? listNamed(list.view) : undefined}
        counts={known ?? {}}
        addressOf={(one) => addressIn(one)}
        late="breached"
        hasShortcuts
      />
      <SavedLinks
        lists={saved}
        current={from}
        addressOf={({ _id }) => addressIn({ view: _id })}
        countOf={({ count, isAtLeast }) => countText(count, isAtLeast || undefined)}
      />
      {current !== null && (
        <FilterBar onSubmit={() => undefined}>
          <Filters of={filters} onChoose={choose} />
          {saving.buttons}
          <Chosen of={filters} onChoose={choose} />
        </FilterBar>
      )}
      {current !== null && saving.dialog}
    </>
  );
}
