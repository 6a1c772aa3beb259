import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { getPreferences, putPreferences } from '#contract/discovery.ts';
import type { BodyInput } from '#contract/endpoint.ts';
import { type NotificationSettings, putNotificationSettings } from '#contract/notifications.ts';
import { call } from '../../api/call.ts';
import { useCommand } from '../../api/endpoint-query.ts';
import { keys } from '../../api/keys.ts';
import { queryClient } from '../../api/query-client.ts';

const preferencesQuery = queryOptions({
  queryKey: keys.preferences,
  queryFn: async ({ signal }) => (await call(getPreferences, { signal })).data.preferences,
  staleTime: 0,
  gcTime: 0,
});

/** The member's preferences, loaded when the form opens. */
export function usePreferences() {
  return useQuery(preferencesQuery);
}

/** Loads the member's current preferences from the server. */
export function readPreferences() {
  return queryClient.fetchQuery(preferencesQuery);
}

/** Pauses or resumes the member's profile. */
export function usePause() {
  return useMutation({
    mutationFn: async (isPaused: boolean) => (await call(putPreferences, { body: { isPaused } })).data.preferences,
    onSuccess: (preferences) => queryClient.setQueriesData({ queryKey: keys.preferences }, preferences),
  });
}

/** Changes the given preferences and keeps all others. */
export function useSavePreferences() {
  return useMutation({ mutationFn: (body: BodyInput<typeof putPreferences>) => call(putPreferences, { body }) });
}

/** Whether the member is notified of new people who fit. */
export const isAlertOn = ({ fit }: NotificationSettings): boolean => fit.mail !== 'never' || fit.push;

/** Turns on daily notifications about new people who fit. */
export function useTellMe() {
  const body = { settings: { fit: { mail: 'daily', push: true } as const } };
  return useCommand(putNotificationSettings, () => ({ body }), { waits: true });
}
