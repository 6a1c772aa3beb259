import { useQuery } from '@tanstack/react-query';
import { getConfig } from '#contract/system.ts';
import { call } from './call.ts';
import { keys } from './keys.ts';

/** What the service tells before sign-in (support address, limits); undefined until the answer is there. */
export function useServiceConfig() {
  const { data } = useQuery({
    queryKey: keys.config,
    queryFn: ({ signal }) => call(getConfig, { signal }),
    staleTime: Infinity,
    select: (answer) => answer.data,
  });
  return data;
}
