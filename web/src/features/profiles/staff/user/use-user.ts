import { useQuery } from '@tanstack/react-query';
import { getAdminUser } from '#contract/profiles/profiles.ts';
import { call } from '../../../../api/call.ts';
import { keys } from '../../../../api/keys.ts';

/** One user as staff may see them. Reading it is on record, so it is not repeated without need. */
export function useUser(id: string) {
  return useQuery({
    queryKey: keys.user(id),
    queryFn: ({ signal }) => call(getAdminUser, { params: { id }, signal }),
    select: (answer) => answer.data.user,
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  });
}
