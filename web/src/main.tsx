import './ui/theme/kit-styles.ts';
import { startTransition, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { AppProviders } from './AppProviders.tsx';
import './features/installation/installing.ts';
import { routes } from './routes.tsx';
import { CrashBoundary } from './ui/feedback/PageStates.tsx';
import { AppRouterContext } from './ui/layout/app-router.ts';
import { preloadLinkedPages } from './ui/loading/preload.ts';

const router = createBrowserRouter(routes);
preloadLinkedPages(router);

function start() {
  const root = document.getElementById('root');
  if (!root) throw new Error('The page has no #root');
  // Other work may come in between the parts of the first rendering, such as a tap.
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <AppProviders>
          <CrashBoundary>
            <AppRouterContext value={router}>
              <RouterProvider router={router} />
            </AppRouterContext>
          </CrashBoundary>
        </AppProviders>
      </StrictMode>,
    ),
  );
}

// The document's splash stays until the code of the first page has been fetched.
if (router.state.initialized) start();
else {
  const stop = router.subscribe(({ initialized }) => {
    if (!initialized) return;
    stop();
    start();
  });
}

addEventListener('load', () => void import('./after-load.tsx').catch(() => undefined));
