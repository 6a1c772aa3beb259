import type { MoreUserFilter } from '#contract/profiles/user-filters.ts';
import { useMay } from '../../api/session/permission.ts';
import { lastDayOf } from '../../ui/text/months.ts';

type Filters = Partial<Record<MoreUserFilter | 'status' | 'type' | 'zone', string>>;

/** Returns the address of the list of users with some filters; undefined for viewers who may not see the list. */
export function useUserLists(): (filters?: Filters) => string | undefined {
  const isAllowed = useMay('users.list');
  return (filters = {}) => {
    const query = new URLSearchParams(filters).toString();
    return isAllowed ? `/users${query && '?'}${query}` : undefined;
  };
}

/** The filters for everyone who joined in a month (`YYYY-MM`); figures count the months of UTC. */
export const joinedIn = (month: string) => ({ joinedFrom: `${month}-01`, joinedTo: lastDayOf(month), zone: 'UTC' });

/** The filters for everyone who joined on the days of the month before that have passed in the month of `time`. */
export function joinedOnSameDays(time: string): ReturnType<typeof joinedIn> {
  const [year = 0, monthNumber = 1, day = 1] = time.slice(0, 10).split('-').map(Number);
  const before = new Date(Date.UTC(year, monthNumber - 2, 1)).toISOString().slice(0, 7);
  const month = joinedIn(before);
  const sameDay = `${before}-${String(day).padStart(2, '0')}`;
  return { ...month, joinedTo: sameDay < month.joinedTo ? sameDay : month.joinedTo };
}
