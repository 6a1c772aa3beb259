import { lazyPart } from '../loading/LazyBoundary.tsx';

/** A dialog for a reason whose code is fetched when it opens, unless it was preloaded. */
export const [LazyReasonDialog, preloadReasonDialog] = lazyPart(
  async () => (await import('./ReasonDialog.tsx')).ReasonDialog,
);
