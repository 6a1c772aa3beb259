import { lazyPart } from '../../../ui/loading/lazy-page.tsx';

/** Passkeys and second factors at the doors: more than most who sign in need. */
export const doorStepsPart = lazyPart(() => import('./SignInSteps.tsx').then((module) => module.DoorSteps));
