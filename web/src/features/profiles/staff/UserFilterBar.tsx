import { msg, plural, t } from '@lingui/core/macro';
import { Box, Button } from '@mantine/core';
import { IconDownload, IconFilter } from '@tabler/icons-react';
import { type ClipboardEvent, type RefObject, useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { hasAtSign } from '#contract/text.ts';
import { useMay } from '../../../api/session/permission.ts';
import { ListFilters } from '../../../ui/data/table/ListFilters.tsx';
import type { useListAddress } from '../../../ui/data/table/use-list-address.ts';
import { ErrorNotice, Notice } from '../../../ui/feedback/Notice.tsx';
import { EmptyState } from '../../../ui/feedback/PageStates.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { lazyPart } from '../../../ui/loading/LazyBoundary.tsx';
import { ColumnsMenu, type useUserColumns } from './ColumnsMenu.tsx';
import { type Found, foundTexts, pastedTerms, termsToFind, type useFindUsers } from './find-users.ts';
import { statuses, type TagChoices, types } from './more-filter-words.ts';
import { MoreFilterChips } from './MoreFilterChips.tsx';
import type { useUserList } from './use-user-list.ts';
import { unknownFilters, type UserList } from './user-filters.ts';

const [MoreFilters] = lazyPart(async () => (await import('./MoreFilters.tsx')).MoreFilters);

const filters = [
  { name: 'status', label: msg`Status`, choices: statuses },
  { name: 'type', label: msg`Type`, choices: types },
] as const;

interface UserFilterBarProps {
  address: ReturnType<typeof useListAddress<UserList>>;
  list: ReturnType<typeof useUserList>;
  find: ReturnType<typeof useFindUsers>;
  tags: TagChoices;
  columns: ReturnType<typeof useUserColumns>;
  /** The search field, which keys focus. */
  field: RefObject<HTMLInputElement | null>;
  /** The list doesn't match the typed and chosen filters yet. */
  isUnasked: boolean;
  onExport: () => void;
}

/** Warns that the list is not filtered as its link intends, because the link has an unknown value. */
function UnknownFilters({ onRemove }: { onRemove: () => void }) {
  const [params] = useSearchParams();
  const unknown = unknownFilters(params);
  if (unknown.length === 0) return null;
  return (
    <Notice
      mb="1rem"
      kind="warning"
      action={
        <Button variant="subtle" size="xs" onClick={onRemove}>
          {t`Dismiss`}
        </Button>
      }
    >
      <p>{t`This link has a filter that isn't known`}</p>
      <p dir="auto">{unknown.map((name) => `${name}=${params.get(name)}`).join(', ')}</p>
    </Notice>
  );
}

/** The filters of the list, look-ups by address or id, the button to export, and the menu of columns. */
export function UserFilterBar(props: UserFilterBarProps) {
  const { address, list, find, tags, columns, field, isUnasked, onExport } = props;
  const navigate = useNavigate();
  const mayExport = useMay('users.export');
  const [isChoosing, setChoosing] = useState(false);
  const { draft } = address;

  /** The text of the field after a look-up, because Enter must not replace its result by a search for the same text. */
  const lookedUpAt = useRef<string>(null);

  function look(terms: readonly string[]) {
    lookedUpAt.current = draft.search;
    find.mutate(terms, {
      onSuccess: ({ users }) => {
        if (terms.length === 1 && users.length === 1) void navigate(`/users/${users[0]?._id}`);
      },
    });
  }

  function search() {
    if (lookedUpAt.current === draft.search && (find.isPending || find.isSuccess)) return;
    const terms = termsToFind(draft.search);
    if (terms !== null) return look(terms);
    find.reset();
    if (hasAtSign(draft.search)) return;
    address.write(draft);
    list.ask();
  }

  function paste(event: ClipboardEvent) {
    const terms = pastedTerms(event.clipboardData.getData('text'));
    if (terms === null) return;
    event.preventDefault();
    look(terms);
  }

  return (
    <div onPasteCapture={paste}>
      <ListFilters
        address={address}
        onChoose={list.isComplete ? address.choose : address.type}
        onSubmit={search}
        search={{
          field,
          placeholder: t`Search by name or email...`,
          hint: t`Ids and whole email addresses work too, and several of them at once.`,
        }}
        filters={filters}
      >
        <Button
          variant="default"
          leftSection={<IconFilter size={17} stroke={1.75} aria-hidden="true" />}
          onClick={() => setChoosing(true)}
        >
          {t`More filters`}
        </Button>
        <BusyButton
          type="submit"
          variant={isUnasked || termsToFind(draft.search) !== null ? 'filled' : 'default'}
          isBusy={find.isPending}
          busyText={t`Searching...`}
        >
          {t`Search`}
        </BusyButton>
        {mayExport && (
          <Button
            variant="default"
            leftSection={<IconDownload size={17} stroke={1.75} aria-hidden="true" />}
            onClick={onExport}
          >
            {t`Export`}
          </Button>
        )}
        <ColumnsMenu columns={columns} />
        <MoreFilterChips filters={draft} tags={tags} onChange={address.apply} />
      </ListFilters>
      <UnknownFilters onRemove={() => address.write({}, { replace: true })} />
      {hasAtSign(draft.search) && termsToFind(draft.search) === null && (
        <Hint mb="1rem">{t`Type or paste the whole address to look someone up.`}</Hint>
      )}
      {find.error !== null && (
        <Box mb="1rem">
          <ErrorNotice error={find.error} text={(error) => t`Search failed: ${error}`} />
        </Box>
      )}
      {isChoosing && (
        <MoreFilters filters={draft} tags={tags} onChange={address.apply} onClose={() => setChoosing(false)} />
      )}
    </div>
  );
}

/** The result of a look-up by address or id, with the terms that found no one; it replaces the list if there are no results. */
export function FoundNotice({ found, onClear }: { found: Found; onClear: () => void }) {
  const { users, leftOut } = found;
  const { notFound, left } = foundTexts(found);
  const isNoOne = users.length === 0;
  const back = (
    <Button variant={isNoOne ? 'light' : 'subtle'} size="xs" onClick={onClear}>
      {t`Show the list again`}
    </Button>
  );
  const more = [
    left,
    leftOut > 0 &&
      t`${plural({ count: leftOut }, { one: '# more was left out', other: '# more were left out' })}: look up 100 at once at most.`,
  ];
  const about = more.filter(Boolean).join(' ');
  if (isNoOne)
    return (
      <EmptyState text={t`No one found.`} hint={[notFound, about].filter(Boolean).join(' · ')} action={back} isFramed />
    );
  return (
    <Notice mb="1rem" kind="info" action={back}>
      <p>
        {t`${plural({ count: users.length }, { one: '# person found.', other: '# people found.' })}`} {about}
      </p>
      {notFound !== null && <p dir="auto">{notFound}</p>}
    </Notice>
  );
}
