import { lazyPart } from '../../../ui/loading/lazy-page.tsx';

/** For the few who have no password. */
export const confirmFirstPart = lazyPart(() => import('./ConfirmIdentity.tsx').then((module) => module.ConfirmFirst));
