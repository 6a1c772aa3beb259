import type { MoreUserFilter } from '#contract/profiles/user-filters.ts';
import { useMay } from '../../api/session/permission.ts';
import { lastDayOf } from '../../ui/text/months.ts';

type Filters = Partial<Record<MoreUserFilter | 'status' | 'type', string>>;

/** Returns the address of the list of users with some filters; undefined for viewers who may not see the list. */
export function useUserLists(): (filters?: Filters) => string | undefined {
  const isAllowed = useMay('users.list');
  return (filters = {}) => {
    const query = new URLSearchParams(filters).toString();
    return isAllowed ? `/users${query && '?'}${query}` : undefined;
  };
}

/** The filters for everyone who joined in a month (`YYYY-MM`). */
export const joinedIn = (month: string) => ({ joinedFrom: `${month}-01`, joinedTo: lastDayOf(month) });

/** The filters for everyone who joined on the days of the month before that have passed in the month of `time`. */
export function joinedOnSameDays(time: string): { joinedFrom: string; joinedTo: string } {
  const [year = 0, month = 1, day = 1] = time.slice(0, 10).split('-').map(Number);
  const before = new Date(Date.UTC(year, month - 2, 1)).toISOString().slice(0, 7);
  const { joinedFrom, joinedTo } = joinedIn(before);
  const sameDay = `${before}-${String(day).padStart(2, '0')}`;
  return { joinedFrom, joinedTo: sameDay < joinedTo ? sameDay : joinedTo };
}
