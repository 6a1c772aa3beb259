import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData } from '@tanstack/react-query';
import { countPeople } from '#contract/discovery.ts';
import type { BodyInput } from '#contract/endpoint.ts';
import { useEndpoint } from './endpoint-query.ts';

/** How long the preferences have to stay the same before people are counted, so that a moving slider asks once. */
const pauseMs = 250;

/**
 * How many people would fit both ways with these preferences, in tens; 0 for fewer than `fewestCounted`. Undefined or null while no number is
 * known. The last number stays until the next one is counted.
 */
export function usePeopleCount(preferences: BodyInput<typeof countPeople>): number | null | undefined {
  const [asked] = useDebouncedValue(JSON.stringify(preferences), pauseMs);
  const body = JSON.parse(asked) as BodyInput<typeof countPeople>;
  return useEndpoint(countPeople, { body }, { placeholderData: keepPreviousData, staleTime: 60_000, retry: false }).data
    ?.people;
}
