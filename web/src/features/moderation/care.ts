import { queryOptions, useQuery } from '@tanstack/react-query';
import { getCare } from '#contract/moderation/care.ts';
import { call } from '../../api/call.ts';
import { useMay } from '../../api/session/permission.ts';
import { staffKeys } from '../../api/staff-keys.ts';

const careEveryMs = 60_000;

const careQuery = queryOptions({
  queryKey: staffKeys.care,
  queryFn: async ({ signal }) => (await call(getCare, { signal })).data,
  staleTime: careEveryMs,
});

/** How much the viewer has opened today that may be hard to look at; nothing for those who decide no cases. */
export const useCare = () => useQuery({ ...careQuery, enabled: useMay('cases.handle') });
