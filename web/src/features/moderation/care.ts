import { getCare } from '#contract/moderation/care.ts';
import { useEndpoint } from '../../api/endpoint-query.ts';
import { useMay } from '../../api/session/permission.ts';

const careEveryMs = 60_000;

/** How many difficult cases the viewer has opened today; nothing for colleagues who decide no cases. */
export const useCare = () => useEndpoint(getCare, {}, { staleTime: careEveryMs, enabled: useMay('cases.handle') });
