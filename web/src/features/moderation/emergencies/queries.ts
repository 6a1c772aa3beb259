import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { type CaseSafety, getCaseSafety } from '#contract/moderation/emergencies.ts';
import { call } from '../../../api/call.ts';
import { keys } from '../../../api/keys.ts';
import { reloadCase } from '../cases/queries.ts';

/** Under the case, because every change to a case may also change it. */
const safetyKey = (caseId: string) => [...keys.case(caseId), 'safety'] as const;

/** The emergencies, referrals and legal hold of a case. */
export const safetyQuery = (caseId: string) =>
  queryOptions({
    queryKey: safetyKey(caseId),
    queryFn: async ({ signal }) => (await call(getCaseSafety, { params: { id: caseId }, signal })).data.safety,
  });

/** A command that answers with the safety of a case. */
export function useSafetyCommand<T>(caseId: string, send: (given: T) => Promise<{ data: { safety: CaseSafety } }>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSuccess: ({ data }) => client.setQueryData(safetyKey(caseId), data.safety),
    onSettled: () => reloadCase(client, caseId),
  });
}
