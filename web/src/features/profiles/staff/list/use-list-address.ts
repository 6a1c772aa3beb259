import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { NavigationType, useLocation, useNavigationType, useSearchParams } from 'react-router';
import {
  firstOrders,
  noFilters,
  readFilters,
  readOrder,
  type UserFilters,
  type UserOrder,
  type UserSort,
  withList,
} from './user-filters.ts';

const typingPauseMs = 300;

/** Marks an address that the filters wrote themselves, so that it does not overwrite what is typed meanwhile. */
const ownState = { isOwn: true };

function isOwn(state: unknown): boolean {
  return typeof state === 'object' && state !== null && 'isOwn' in state;
}

/** Filters and order as the address holds them (`applied`, `order`), and filters as they are typed and chosen (`filters`). */
export function useListAddress() {
  const [params, setParams] = useSearchParams();
  const { state } = useLocation() as { state: unknown };
  const navigation = useNavigationType();

  const address = withList(params, {}).toString();
  const list = useMemo(() => {
    const current = new URLSearchParams(address);
    return { applied: readFilters(current), order: readOrder(current) };
  }, [address]);

  const [filters, setFilters] = useState(list.applied);
  const [seen, setSeen] = useState(list);
  if (list !== seen) {
    setSeen(list);
    if (navigation === NavigationType.Pop || !isOwn(state)) setFilters(list.applied);
  }

  /** Puts filters or order into the address: as a step that Back undoes, unless it replaces. */
  function write(next: Partial<UserFilters & UserOrder>, replace = false) {
    const written = withList(params, next);
    if (written.toString() !== params.toString()) setParams(written, { replace, state: ownState });
  }

  /** Clicking a column's head: its first order, then the other way round. */
  function sortBy(column: UserSort) {
    const { order } = list;
    const other = order.sortOrder === 'asc' ? 'desc' : 'asc';
    write({ sortBy: column, sortOrder: order.sortBy === column ? other : firstOrders[column] });
  }

  function clear() {
    setFilters(noFilters);
    write(noFilters);
  }

  return { ...list, filters, setFilters, write, sortBy, clear };
}

/** While filters act at once the address follows what is typed, after a pause. */
export function useTypingInAddress(
  isInstant: boolean,
  { filters, applied, write }: ReturnType<typeof useListAddress>,
): void {
  const typed = filters.search.trim();
  const follow = useEffectEvent(() => write({ search: typed }, true));
  useEffect(() => {
    if (!isInstant || typed === applied.search) return;
    const timer = setTimeout(() => follow(), typingPauseMs);
    return () => clearTimeout(timer);
  }, [isInstant, typed, applied.search]);
}
