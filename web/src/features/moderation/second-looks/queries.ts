import { queryOptions } from '@tanstack/react-query';
import { getSecondLookFigures, listGoldenCases } from '#contract/moderation/second-looks.ts';
import { call } from '../../../api/call.ts';
import { staffKeys } from '../../../api/staff-keys.ts';

/** The training cases, for those who lead the team. */
export const goldenCasesQuery = queryOptions({
  queryKey: staffKeys.goldenCases,
  queryFn: async ({ signal }) => (await call(listGoldenCases, { signal })).data.cases,
});

/** How often second looks agreed, for those who lead the team. */
export const secondLookFiguresQuery = queryOptions({
  queryKey: staffKeys.secondLookFigures,
  queryFn: async ({ signal }) => (await call(getSecondLookFigures, { signal })).data,
});
