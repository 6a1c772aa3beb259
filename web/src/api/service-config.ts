import { queryOptions, useQuery } from '@tanstack/react-query';
import type { AnswerOf } from '#contract/endpoint.ts';
import { searchPlaces } from '#contract/profiles/profiles.ts';
import { getConfig } from '#contract/system.ts';
import { call } from './call.ts';
import { keys } from './keys.ts';

export type ServiceConfig = AnswerOf<typeof getConfig>['data'];

/** What the service publishes before sign-in: support address, limits, plans, other ways to sign in. */
export const configQuery = queryOptions({
  queryKey: keys.config,
  queryFn: async ({ signal }): Promise<ServiceConfig> => (await call(getConfig, { signal })).data,
  staleTime: Infinity,
  gcTime: Infinity,
});

/** The service's configuration; undefined until the answer arrives. Fetched once. */
export function useServiceConfig(): ServiceConfig | undefined {
  return useQuery(configQuery).data;
}

type Place = Record<'city' | 'country', string>;

/** Known cities that start with the text, with their countries; null if they cannot be loaded. */
export async function knownPlaces(search: string, signal: AbortSignal): Promise<readonly Place[] | null> {
  try {
    return (await call(searchPlaces, { query: { search }, signal })).data.places;
  } catch {
    return null;
  }
}
