import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { NavigationType, useLocation, useNavigationType, useSearchParams } from 'react-router';
import { asAddress, noFilters, readList, type ReportList } from '../list/report-filters.ts';

const typingPauseMs = 300;

/** What the list adds to a place in the history that it wrote itself. */
interface OwnState {
  /** The search was typed: further typing belongs to the same step, and is not overwritten. */
  isTyped?: boolean;
}

/** The list as the address holds it, and the search as it is typed. */
export function useReportAddress() {
  const [params, setParams] = useSearchParams();
  const location = useLocation();
  const navigation = useNavigationType();
  const isTyped = (location.state as OwnState | null)?.isTyped === true;

  const address = asAddress(readList(params)).toString();
  const list = useMemo(() => readList(new URLSearchParams(address)), [address]);
  const [typed, setTyped] = useState(list.search);
  const [seen, setSeen] = useState(list);
  if (list !== seen) {
    setSeen(list);
    if (navigation === NavigationType.Pop || !isTyped) setTyped(list.search);
  }

  /** Puts a change into the address, as a step that Back undoes unless it replaces; other filters begin at page 1. */
  function write(change: Partial<ReportList>, { replace = false, isTyping = false } = {}) {
    const next = asAddress({ ...list, page: 1, ...change });
    if (next.toString() === address) return;
    setParams(next, { replace, state: isTyping ? ({ isTyped: true } satisfies OwnState) : null });
  }

  const search = useEffectEvent(() => write({ search: typed.trim() }, { replace: isTyped, isTyping: true }));
  const isUnasked = typed.trim() !== list.search.trim();
  useEffect(() => {
    if (!isUnasked) return;
    const timer = setTimeout(() => search(), typingPauseMs);
    return () => clearTimeout(timer);
  }, [isUnasked, typed]);

  return {
    list,
    typed,
    setTyped,
    write,
    /** Filters other than the search: what is typed meanwhile goes along. */
    choose: (change: Partial<ReportList>) => write({ search: typed.trim(), ...change }),
    clear: () => {
      setTyped('');
      write(noFilters);
    },
  };
}
