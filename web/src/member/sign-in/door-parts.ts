import { lazyPart } from '../../ui/loading/lazy-page.tsx';

/** The ways to sign in with others. */
export const identityButtonsPart = lazyPart(() =>
  import('../../features/auth/sign-in/IdentityButtons.tsx').then((module) => module.IdentityButtons),
);

/** What somebody meets who is back from there. */
export const identityReturnPart = lazyPart(() =>
  import('./IdentityReturn.tsx').then((module) => module.IdentityReturn),
);
