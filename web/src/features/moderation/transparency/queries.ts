import { queryOptions } from '@tanstack/react-query';
import { listTransparency } from '#contract/moderation/transparency.ts';
import { call } from '../../../api/call.ts';
import { keys } from '../../../api/keys.ts';

/** The published reports, the newest year first. */
export const transparencyQuery = queryOptions({
  queryKey: keys.transparency,
  queryFn: async ({ signal }) => (await call(listTransparency, { signal })).data.reports,
});
