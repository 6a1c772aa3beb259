import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { listAutomaticRules } from '#contract/moderation/automatic-rules.ts';
import { call } from '../../../api/call.ts';
import { staffKeys } from '../../../api/staff-keys.ts';

const progressEveryMs = 2000;

/** The automatic rules, read again every two seconds while a dry run is going on. */
export const automaticRulesQuery = queryOptions({
  queryKey: staffKeys.automaticRules,
  queryFn: async ({ signal }) => (await call(listAutomaticRules, { signal })).data.rules,
  refetchInterval: ({ state }) =>
    state.data?.some(({ dryRun }) => dryRun?.isDone === false) === true ? progressEveryMs : false,
});

/** Changes the rules, and reads them again. */
export function useRuleCommand<T>(send: (given: T) => Promise<unknown>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSettled: () => client.invalidateQueries({ queryKey: staffKeys.automaticRules }),
  });
}
