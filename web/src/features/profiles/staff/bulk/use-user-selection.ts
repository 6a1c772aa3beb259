import { useState } from 'react';
import { bulkIdsMax } from '#contract/constants.ts';
import type { BodyInput, QueryInput } from '#contract/endpoint.ts';
import type { startBulk } from '#contract/moderation/bulk.ts';
import type { listUsers } from '#contract/profiles/staff.ts';
import type { ListedUser } from '#contract/profiles/user.ts';

export type Selection = BodyInput<typeof startBulk>['selection'];
export type ListQuery = Omit<QueryInput<typeof listUsers>, 'page' | 'limit' | 'cursor'>;

/** The people an act is about, and how many they are, as far as the screen knows. */
export interface Chosen {
  selection: Selection;
  count: number;
}

interface ListedUsers {
  rows: readonly ListedUser[];
  /** The query that matches everyone in the list; null if the rows were looked up. */
  query: ListQuery | null;
  /** How many users match. */
  total: number;
}

const none: ReadonlySet<string> = new Set();

/** The selected users: some of the rows, or all that match the filters, until these change. */
export function useUserSelection({ rows, query, total }: ListedUsers) {
  const [ids, setIds] = useState(none);
  const [allOf, setAllOf] = useState<string | null>(null);
  const listKey = query === null ? null : JSON.stringify(query);
  const everyone = allOf !== null && allOf === listKey ? query : null;
  const isAll = everyone !== null;
  const shown = rows.map(({ _id }) => _id);
  const page = shown.slice(0, bulkIdsMax);

  function select(next: ReadonlySet<string>) {
    setIds(next);
    setAllOf(null);
  }

  function toggle(id: string) {
    const next = new Set(isAll ? page : ids);
    if (!next.delete(id) && next.size < bulkIdsMax) next.add(id);
    select(next);
  }

  const chosen: Chosen =
    everyone !== null
      ? { selection: { filters: everyone }, count: total }
      : { selection: { ids: [...ids] }, count: ids.size };
  return {
    ids: isAll ? new Set(shown) : ids,
    chosen,
    toggle,
    selectPage: () => select(new Set(page)),
    /** Undefined where everyone who matches is selected already, or the list was looked up. */
    selectAll: query === null || isAll || total <= ids.size ? undefined : () => setAllOf(listKey),
    clear: () => select(none),
  };
}

export type UserSelection = ReturnType<typeof useUserSelection>;
