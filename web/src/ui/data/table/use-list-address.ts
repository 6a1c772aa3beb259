import type * as z from 'zod/mini';
import { useContext, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import {
  NavigationType,
  useLocation,
  useNavigate,
  useNavigationType,
  useSearchParams,
  type Location,
} from 'react-router';
import { AppRouterContext } from '../../layout/app-router.ts';

/** The allowed values of a filter: one of a list whose first value means "no filter", any text, or what the contract accepts. */
type Allowed = readonly string[] | 'text' | z.ZodMiniType;

/** The values of filters as text; '' means no filter, unless a list says otherwise. */
export type FilterTexts<A> = {
  [K in keyof A]: A[K] extends readonly (infer V extends string)[]
    ? V
    : A[K] extends z.ZodMiniType
      ? Extract<z.input<A[K]>, string> | ''
      : string;
};

interface AddressFilters<L> {
  /** The values of the unfiltered list. */
  none: L;
  read(params: URLSearchParams): L;
  change(params: URLSearchParams, changed: Partial<Record<keyof L, string>>): URLSearchParams;
  /** The names of filters with an unknown value in the address. */
  unknown(params: URLSearchParams): (keyof L & string)[];
  /** Whether any filter is set. */
  isFiltered(filters: Record<keyof L, string>): boolean;
}

/**
 * Reads and writes the filters of a list as parameters of its address, for `useListAddress`. Unknown values count as no
 * filter, and unset filters are left out. Other parameters are kept.
 */
export function addressFilters<const A extends Readonly<Record<string, Allowed>>>(
  allowed: A,
): AddressFilters<FilterTexts<A>>;
export function addressFilters(allowed: Readonly<Record<string, Allowed>>): AddressFilters<Record<string, string>> {
  const noneOf = (values: Allowed) => (typeof values === 'object' && 'length' in values ? (values[0] ?? '') : '');
  const isKnown = (values: Allowed, given: string) =>
    values === 'text' || ('safeParse' in values ? values.safeParse(given).success : values.includes(given));
  const read = (params: URLSearchParams) =>
    Object.fromEntries(
      Object.entries(allowed).map(([name, values]) => {
        const given = params.get(name) ?? '';
        return [name, isKnown(values, given) ? given : noneOf(values)];
      }),
    );
  const none = read(new URLSearchParams());
  const names = Object.keys(allowed);
  const textOf = (filters: Partial<Record<string, string>>, name: string) => filters[name]?.trim() ?? '';
  return {
    none,
    read,
    change(params, changed) {
      const next = new URLSearchParams(params);
      const filters = { ...read(params), ...changed };
      for (const name of names) {
        const value = textOf(filters, name);
        if (value === none[name]) next.delete(name);
        else next.set(name, value);
      }
      return next;
    },
    unknown: (params) =>
      names.filter((name) => (params.get(name) ?? '') !== '' && params.get(name) !== read(params)[name]),
    isFiltered: (filters) => names.some((name) => textOf(filters, name) !== none[name]),
  };
}

/** The state of history entries that the list has written. */
interface OwnState {
  /** Keeps text that was typed in the meantime. */
  isOwn?: boolean;
  /** The search text was typed, so further typing replaces this entry. */
  isTyped?: boolean;
  /** A dialog was opened from the list, so closing it goes back. */
  isOpenedHere?: boolean;
}

const useOwnState = () => useLocation().state as OwnState | null;

/**
 * Reads the address and state of the current history entry. `useLocation` returns the previous entry until the page has
 * rendered, which takes a while for a long table.
 */
function useCurrentEntry(): () => { params: URLSearchParams; state: OwnState | null } {
  const router = useContext(AppRouterContext);
  return () => {
    const { search, state } = router.state.location as Location<OwnState | null>;
    return { params: new URLSearchParams(search), state };
  };
}

/**
 * The filters and order of a list: `list` as in the address, `draft` as currently typed and chosen. `read` and `change`
 * convert between the address and the list; both must be stable functions.
 */
export function useListAddress<L extends { search: string }>(
  read: (params: URLSearchParams) => L,
  change: (params: URLSearchParams, change: Partial<L>) => URLSearchParams,
) {
  const [params, setParams] = useSearchParams();
  const currentEntry = useCurrentEntry();
  const state = useOwnState();
  const navigation = useNavigationType();
  // Opening or closing a dialog changes the address, but not the list.
  const key = change(new URLSearchParams(), read(params)).toString();
  const list = useMemo(() => read(new URLSearchParams(key)), [read, key]);
  const [draft, setDraft] = useState(list);
  const [seen, setSeen] = useState(list);
  if (list !== seen) {
    setSeen(list);
    if (navigation === NavigationType.Pop || state?.isOwn !== true) setDraft(list);
  }

  /** Writes a change to the address, by default as a new history entry. */
  function write(changed: Partial<L>, { replace = false, isTyped = false } = {}) {
    const { params: current } = currentEntry();
    const next = change(current, changed);
    if (next.toString() === current.toString()) return;
    setParams(next, { replace, preventScrollReset: true, state: { isOwn: true, isTyped } satisfies OwnState });
  }

  const type = (changed: Partial<L>) => setDraft((before) => ({ ...before, ...changed }));

  function apply(changed: Partial<L>) {
    type(changed);
    write(changed);
  }

  return {
    list,
    draft,
    /** Changes the draft only. */
    type,
    /** Changes the address only. */
    write,
    /** Changes both. */
    apply,
    /** Changes both; search text typed in the meantime is included. */
    choose: (changed: Partial<L>) => apply({ search: draft.search, ...changed }),
    isTyped: state?.isTyped === true,
    isBehindDialog: state?.isOpenedHere === true,
  };
}

const typingPauseMs = 300;

interface TypedSearch {
  list: { search: string };
  draft: { search: string };
  isTyped: boolean;
  isBehindDialog: boolean;
  write: (changed: { search: string }, options: { replace: boolean; isTyped: boolean }) => void;
}

/**
 * Updates the address with the typed search text after a pause. If a dialog is opened in the meantime, the text is
 * searched for after the dialog is closed: closing goes back, so the dialog's history entry must stay the last one.
 */
export function useTypedSearch(address: TypedSearch, isInstant = true): void {
  const { list, draft, isTyped, write } = address;
  const isWaiting = !isInstant || address.isBehindDialog;
  const typed = draft.search.trim();
  const currentEntry = useCurrentEntry();
  const follow = useEffectEvent(() => {
    // A dialog may have been opened that has not been rendered yet.
    if (currentEntry().state?.isOpenedHere !== true) write({ search: typed }, { replace: isTyped, isTyped: true });
  });
  useEffect(() => {
    if (isWaiting || typed === list.search.trim()) return;
    const timer = setTimeout(() => follow(), typingPauseMs);
    return () => clearTimeout(timer);
  }, [isWaiting, typed, list.search]);
}

/**
 * A dialog over a list that is kept in the address as `?name=value`, so that reloading, Back and copied links work.
 * `detail` is a second parameter that only makes sense with the first one.
 */
export function useAddressDialog(name: string, detail = name) {
  const [params, setParams] = useSearchParams();
  const currentEntry = useCurrentEntry();
  const navigate = useNavigate();
  // The browser goes back asynchronously. Until it has, closing the dialog again would leave the list.
  const isGoingBack = useRef(false);
  const { key: shownEntry } = useLocation();
  useEffect(() => void (isGoingBack.current = false), [shownEntry]);

  const isOpenedHere = () => currentEntry().state?.isOpenedHere === true;

  function write(key: string, value: string | null, options: { replace: boolean; isOpenedHere: boolean }) {
    const { params: next } = currentEntry();
    if (value === null) next.delete(key);
    else next.set(key, value);
    if (!next.has(name)) next.delete(detail);
    const state: OwnState = { isOwn: true, isOpenedHere: options.isOpenedHere };
    setParams(next, { replace: options.replace, preventScrollReset: true, state });
  }

  return {
    value: params.get(name),
    detail: params.get(detail),
    open: (value: string) => {
      isGoingBack.current = false;
      write(name, value, { replace: false, isOpenedHere: true });
    },
    setDetail: (value: string | null) => write(detail, value, { replace: true, isOpenedHere: isOpenedHere() }),
    close: () => {
      if (isGoingBack.current) return;
      isGoingBack.current = isOpenedHere();
      if (isGoingBack.current) void navigate(-1);
      else write(name, null, { replace: true, isOpenedHere: false });
    },
  };
}
