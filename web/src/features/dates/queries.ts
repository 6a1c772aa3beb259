import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import * as calls from '#contract/dates.ts';
import { ApiError } from '../../api/api-error.ts';
import { call, callForFile } from '../../api/call.ts';
import { keys } from '../../api/keys.ts';
import { live, queryClient } from '../../api/query-client.ts';
import { saveFile } from '../../ui/data/save-file.ts';

/** The date planned with a match, kept up to date by realtime events. With a match that has ended, it is one that the member still shares. */
export function useDate(matchId: string, isEnded = false) {
  return useQuery({
    ...live,
    queryKey: isEnded ? [...keys.date(matchId), 'shared'] : keys.date(matchId),
    queryFn: async ({ signal }) => {
      try {
        return (await call(calls.getDate, { params: { id: matchId }, signal })).data;
      } catch (error) {
        if (isEnded && error instanceof ApiError && error.status === 404) return { canPlan: false, date: null };
        throw error;
      }
    },
    enabled: ({ state }) => !isEnded || state.data?.date !== null,
  });
}

/** A command on the date of a match; afterwards the date is fetched again. */
export function useDateCommand<T = void>(matchId: string, send: (given: T) => Promise<unknown>) {
  return useMutation({
    mutationFn: send,
    onSettled: () => queryClient.invalidateQueries({ queryKey: keys.date(matchId) }),
  });
}

/** Saves a date as a calendar file. */
export async function saveCalendar(id: string): Promise<void> {
  const { blob, name } = await callForFile(calls.getDateCalendar, { params: { id } });
  saveFile(blob, name ?? 'date.ics');
}

/** My check-in for a date. */
export function useCheckIn(id: string) {
  return useQuery({
    ...live,
    queryKey: keys.checkIn(id),
    queryFn: async ({ signal }) => (await call(calls.getCheckIn, { params: { id }, signal })).data.checkIn,
    gcTime: 0,
  });
}

/** Answers a check-in. Pressing again repeats a call for help that got no answer; the server counts it once. */
export function useAnswerCheckIn(id: string) {
  return useMutation({
    mutationFn: async (answer: 'good' | 'help') =>
      (await call(calls.answerCheckIn, { params: { id }, body: { answer } })).data,
  });
}

const lookedAtEveryMs = 60_000;

/** Whether a link to a shared date works no longer. */
export const isEndedLink = (error: unknown) => error instanceof ApiError && (error.status ?? 500) < 500;

/**
 * A date that a member shares with a friend. It is fetched again each minute until the link ends, so that it then disappears.
 */
export const sharedDateQuery = (token: string) =>
  queryOptions({
    queryKey: ['shared-date', token],
    queryFn: async ({ signal }) => (await call(calls.openSharedDate, { body: { token }, signal })).data.date,
    enabled: ({ state }) => token !== '' && !isEndedLink(state.error),
    staleTime: 0,
    gcTime: 0,
    refetchInterval: lookedAtEveryMs,
  });
