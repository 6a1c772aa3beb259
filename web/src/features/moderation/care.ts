import { getCare } from '#contract/moderation/care.ts';
import { useEndpoint } from '../../api/endpoint-query.ts';
import { useMay } from '../../api/session/permission.ts';

const careEveryMs = 60_000;

/** How much the viewer has opened today that may be hard to look at; nothing for those who decide no cases. */
export const useCare = () => useEndpoint(getCare, {}, { staleTime: careEveryMs, enabled: useMay('cases.handle') });
