import { Button, Group, Text } from '@mantine/core';
import { IconBookmark, IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import {
  type CaseFilters,
  caseOrders,
  caseViewNameMax,
  type CaseView,
  caseViews,
  type SavedCaseView,
  saveCaseView,
} from '#contract/moderation/case-list.ts';
import { reportPriorities, reportTypes } from '#contract/moderation/reports.ts';
import { useMay } from '../../../api/session/permission.ts';
import { FilterBar, FilterChip, FilterChips, FilterChoices, FilterSelect } from '../../../ui/data/table/ListParts.tsx';
import { ConfirmDialog } from '../../../ui/feedback/Dialog.tsx';
import { FormDialog } from '../../../ui/feedback/FormDialog.tsx';
import { CheckField, TextField } from '../../../ui/form/Field.tsx';
import { useForm } from '../../../ui/form/use-form.ts';
import { useSingleKeys } from '../../../ui/keyboard/shortcuts.tsx';
import { t, unitsFor } from '../../../ui/text/text.ts';
import { priorityWords } from '../reports/report-words.ts';
import { orderWords, viewWords } from './case-words.ts';
import { countText, listText, ViewLink, ViewLinks } from './CaseMarks.tsx';
import {
  addressIn,
  type CaseList,
  isOpenList,
  listNamed,
  savedListsQuery,
  useDeleteList,
  useSaveList,
} from './queries.ts';
import queue from './queue.module.css';

const icon = { size: 16, stroke: 1.75, 'aria-hidden': true } as const;
const priorities = reportPriorities.map((one) => [one, priorityWords[one]] as const);
const types = reportTypes.map((one) => [one, one] as const);
const orders = caseOrders.map((one) => [one, orderWords[one]] as const);

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
  (['list', 'priority', 'type', 'order'] as const).every((name) => String(one[name]) === String(other[name]));

interface SaveDialogProps {
  filters: CaseFilters;
  /** The saved list to change; null to save a new one. */
  of: SavedCaseView | null;
  onSaved: (id: string) => void;
  onDeleted: () => void;
  onClose: () => void;
}

function DeleteDialog({
  of,
  onDeleted,
  onClose,
}: Pick<SaveDialogProps, 'onDeleted' | 'onClose'> & { of: SavedCaseView }) {
  const command = useDeleteList(of._id);
  return (
    <ConfirmDialog
      title={t('Delete the list “{name}”?', { name: of.name })}
      keepText={t('Cancel')}
      confirmText={t('Delete list')}
      busyText={t('Deleting...')}
      command={command}
      errorText="Couldn't delete the list: {error}"
      onConfirm={() => command.mutate(undefined, { onSuccess: onDeleted })}
      onClose={onClose}
    >
      {t(
        of.isShared
          ? 'It will be deleted for the whole team. The cases in it are not affected.'
          : 'The cases in it are not affected.',
      )}
    </ConfirmDialog>
  );
}

/** A dialog that saves a list under a name, or renames, shares or deletes a saved one. */
function SaveDialog({ filters, of, onSaved, onDeleted, onClose }: SaveDialogProps) {
  const command = useSaveList(of);
  const [isDeleting, setDeleting] = useState(false);
  const mayShare = useMay('cases.lead');
  const form = useForm({
    initial: { name: of?.name ?? '', isShared: of?.isShared ?? false },
    schema: saveCaseView.body,
    toBody: (values) => ({ ...values, filters }),
    send: async (body) => onSaved((await command.mutateAsync(body))._id),
    onSent: onClose,
  });
  if (isDeleting && of !== null)
    return <DeleteDialog of={of} onDeleted={onDeleted} onClose={() => setDeleting(false)} />;
  return (
    <FormDialog
      title={t(of === null ? 'Save list' : 'Edit list')}
      size="narrow"
      form={form}
      sendText={t('Save')}
      busyText={t('Saving...')}
      moreActions={
        of !== null && (
          <Button variant="subtle" onClick={() => setDeleting(true)}>
            {t('Delete list')}
          </Button>
        )
      }
      onClose={onClose}
    >
      <Text c="dimmed">{listText({ view: filters.list, ...filters })}</Text>
      <TextField
        label={t('Name')}
        required
        maxLength={unitsFor(caseViewNameMax)}
        data-autofocus
        {...form.bind('name')}
      />
      {mayShare && (
        <CheckField
          label={t('Share with the team')}
          description={t('Everyone who handles cases can see it. “Mine” shows each viewer their own cases.')}
          {...form.bindCheckbox('isShared')}
        />
      )}
    </FormDialog>
  );
}

function SavedLink({ of, isCurrent }: { of: SavedCaseView; isCurrent: boolean }) {
  const { name, isShared, sharedBy, count, isAtLeast } = of;
  const who = !isShared
    ? t('Only you see this list')
    : sharedBy === null
      ? t('Shared with the team')
      : t('Shared by {name}', { name: sharedBy });
  return (
    <ViewLink to={addressIn({ view: of._id })} isCurrent={isCurrent} count={countText(count, isAtLeast || undefined)}>
      <Group component="span" display="inline-flex" gap="0.35rem" wrap="nowrap" title={who}>
        {isShared ? <IconUsers {...icon} /> : <IconBookmark {...icon} />}
        <bdi>{name}</bdi>
        <span className="visually-hidden">({who})</span>
      </Group>
    </ViewLink>
  );
}

interface FiltersProps {
  of: CaseFilters;
  onChoose: (change: Partial<CaseFilters>) => void;
}

function Filters({ of, onChoose }: FiltersProps) {
  return (
    <>
      <FilterChoices
        label={t('Priority')}
        allText="All priorities"
        chosen={of.priority}
        choices={priorities}
        onChoose={(priority) => onChoose({ priority })}
      />
      <FilterChoices
        label={t('Type')}
        allText="All types"
        chosen={of.type}
        choices={types}
        isWide
        onChoose={(type) => onChoose({ type })}
      />
      <FilterSelect label={t('Sort')} value={of.order} choices={orders} onChoose={(order) => onChoose({ order })} />
    </>
  );
}

const without = <T,>(list: readonly T[] | undefined, one: T) => {
  const rest = list?.filter((each) => each !== one) ?? [];
  return rest.length === 0 ? undefined : rest;
};

/** The chosen priorities and types, each with a button to remove it. */
function Chosen({ of, onChoose }: FiltersProps) {
  const { priority, type } = of;
  if (priority === undefined && type === undefined) return null;
  return (
    <FilterChips>
      {priority?.map((one) => (
        <FilterChip
          key={one}
          text={t(priorityWords[one])}
          onRemove={() => onChoose({ priority: without(priority, one) })}
        />
      ))}
      {type?.map((one) => (
        <FilterChip key={one} text={t(one)} onRemove={() => onChoose({ type: without(type, one) })} />
      ))}
    </FilterChips>
  );
}

/** The lists of the queue, the saved lists, and the filters. */
export function CaseLists({ list, counts }: { list: CaseList; counts: Partial<Record<CaseView, number>> | undefined }) {
  const navigate = useNavigate();
  const query = useQuery(savedListsQuery);
  const saved = query.data ?? [];
  // The counts of the previous list stay visible while another list is loading.
  const [known, setKnown] = useState(counts);
  if (counts !== undefined && counts !== known) setKnown(counts);
  const [asked, setAsked] = useState<'save' | 'edit' | null>(null);
  const current = filtersOf(list, saved);
  const from = current?.from;
  const show = (next: CaseList) => void navigate(addressIn(next));

  useSingleKeys(Object.fromEntries(caseViews.map((view, index) => [String(index + 1), () => show({ view })])));

  function choose(change: Partial<CaseFilters>) {
    if (current === null) return;
    const { list: view, priority, type, order } = { ...current.filters, ...change };
    if (from !== undefined && isSame(from.filters, { list: view, priority, type, order })) show({ view: from._id });
    else show({ view, priority, type, order: order === 'due' ? undefined : order, from: from?._id });
  }

  const isPlain = current !== null && isSame(current.filters, { list: current.filters.list, order: 'due' });
  return (
    <>
      <ViewLinks
        label={t('Lists of cases')}
        views={caseViews}
        words={viewWords}
        current={from === undefined ? listNamed(list.view) : undefined}
        counts={known ?? {}}
        addressOf={(one) => addressIn(one)}
        late="breached"
        hasShortcuts
      />
      <nav aria-label={t('Saved lists')}>
        <ul className={queue.views} data-saved>
          {saved.map((one) => (
            <SavedLink key={one._id} of={one} isCurrent={one === from} />
          ))}
          {query.data?.length === 0 && (
            <li className={queue.hint}>{t('Choose filters and save them as your own list.')}</li>
          )}
        </ul>
      </nav>
      {current !== null && (
        <FilterBar onSubmit={() => undefined}>
          <Filters of={current.filters} onChoose={choose} />
          {from?.canChange === true && (
            <Button variant="default" onClick={() => setAsked('edit')}>
              {t(current.isChanged ? 'Save changes' : 'Edit list')}
            </Button>
          )}
          {current.isChanged && !isPlain && (
            <Button variant="default" leftSection={<IconBookmark {...icon} />} onClick={() => setAsked('save')}>
              {t(from === undefined ? 'Save list' : 'Save as new')}
            </Button>
          )}
          <Chosen of={current.filters} onChoose={choose} />
        </FilterBar>
      )}
      {asked !== null && current !== null && (
        <SaveDialog
          filters={current.filters}
          of={asked === 'edit' ? (from ?? null) : null}
          onSaved={(id) => show({ view: id })}
          onDeleted={() => {
            setAsked(null);
            show({ view: current.filters.list });
          }}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );
}
