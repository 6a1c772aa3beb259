import { queryOptions } from '@tanstack/react-query';
import { getOwnFile } from '#contract/moderation/own-file.ts';
import { call } from '../../../api/call.ts';
import { keys } from '../../../api/keys.ts';

/** That staff opened the member's account, by day, newest first. */
export const ownFileQuery = queryOptions({
  queryKey: [...keys.account, 'file'] as const,
  queryFn: async ({ signal }) => (await call(getOwnFile, { signal })).data.days,
});
