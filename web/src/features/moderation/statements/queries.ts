import { getReportAppeal, submitAppeal, withdrawAppeal } from '#contract/moderation/appeals.ts';
import { listStatements } from '#contract/moderation/decisions.ts';
import type { BodyInput } from '#contract/endpoint.ts';
import { useCommand } from '../../../api/endpoint-query.ts';
import { keys } from '../../../api/keys.ts';
import { queryClient } from '../../../api/query-client.ts';

/** Reloads statements and reports, which both contain the right to appeal. */
const reloadRights = () =>
  Promise.all(
    [[listStatements.path], [getReportAppeal.path], keys.allOwnReports].map((queryKey) =>
      queryClient.invalidateQueries({ queryKey }),
    ),
  );

/** Appeals a decision about the member or about one of their reports. */
export const useAppeal = () =>
  useCommand(submitAppeal, (body: BodyInput<typeof submitAppeal>) => ({ body }), { onSuccess: reloadRights });

/** Withdraws an appeal. */
export const useWithdraw = () =>
  useCommand(withdrawAppeal, (id: string) => ({ params: { id } }), { onSuccess: reloadRights });
