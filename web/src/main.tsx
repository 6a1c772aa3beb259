import './ui/theme/kit-styles.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { startTransition, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { queryClient } from './api/query-client.ts';
import { readSession } from './api/session/stored-session.ts';
import './features/installation/install-prompt.ts';
import { SessionEnd } from './features/auth/session/guards.tsx';
import { AppRoutes, firstPageReady } from './routes.tsx';
import { CrashBoundary } from './ui/feedback/CrashBoundary.tsx';
import { Kit } from './ui/theme/Kit.tsx';
import { RouteScroll } from './ui/layout/RouteScroll.tsx';

function start() {
  const root = document.getElementById('root');
  if (!root) throw new Error('The page has no #root');
  // As a transition the first screen is rendered in slices, and a slow phone hears a tap in between.
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <Kit>
          <CrashBoundary>
            <QueryClientProvider client={queryClient}>
              <BrowserRouter>
                <SessionEnd />
                <RouteScroll />
                <AppRoutes />
              </BrowserRouter>
            </QueryClientProvider>
          </CrashBoundary>
        </Kit>
      </StrictMode>,
    ),
  );
}

// What stands in the page stays until the first screen can be drawn whole. (Awaiting here instead would take the chunk apart.)
void firstPageReady(location.pathname, readSession()).then(start);

addEventListener('load', () => void import('./after-load.tsx').catch(() => undefined));
