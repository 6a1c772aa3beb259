import type { ComponentProps } from 'react';
import { LazyBoundary } from '../loading/LazyBoundary.tsx';
import { preloadable } from '../loading/preload.ts';
import type { ReasonDialog } from './ReasonDialog.tsx';

const [Fetched, preloadReasonDialog] = preloadable(async () => (await import('./ReasonDialog.tsx')).ReasonDialog);
export { preloadReasonDialog };

/** A dialog for a reason whose code is fetched when it opens, unless it was preloaded. */
export const LazyReasonDialog = (props: ComponentProps<typeof ReasonDialog>) => (
  <LazyBoundary onClose={props.onClose}>
    <Fetched {...props} />
  </LazyBoundary>
);
