import { createRoot } from './react.ts';
import './ui/theme/kit-styles.ts';
import { startTransition, StrictMode } from 'react';
import { readSession } from './api/session/stored-session.ts';
import { AppProviders } from './AppProviders.tsx';
import { AppRouter, AppRoutes, firstPageReady, preloadLinkedPages } from './AppRoutes.tsx';
import './features/installation/install-prompt.ts';
import { CrashBoundary } from './ui/feedback/PageStates.tsx';

function start() {
  const root = document.getElementById('root');
  if (!root) throw new Error('The page has no #root');
  preloadLinkedPages();
  // As a transition, the first screen is rendered in slices, so that a slow phone can react to a tap in between.
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <AppProviders>
          <CrashBoundary>
            <AppRouter>
              <AppRoutes />
            </AppRouter>
          </CrashBoundary>
        </AppProviders>
      </StrictMode>,
    ),
  );
}

// The page's splash stays until the first screen can be drawn completely. (A top-level await would split this chunk.)
void firstPageReady(location.pathname, readSession()).then(start);

addEventListener('load', () => void import('./after-load.tsx').catch(() => undefined));
