import './ui/theme/kit-styles.ts';
import { startTransition, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { AppProviders } from './AppProviders.tsx';
import './features/installation/installing.ts';
import { routes } from './routes.tsx';
import { CrashBoundary } from './ui/feedback/PageStates.tsx';
import { languageFor } from '#contract/languages.ts';
import { loadTexts, speak } from './ui/text/catalogues.ts';
import { AppRouterContext } from './ui/layout/app-router.ts';
import { preloadLinkedPages } from './ui/loading/preload.ts';

/** How long to wait until the page is loaded again if its texts could not be fetched. */
const reloadMs = 5000;

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

/** Resolves once the code of the first page has been fetched. */
const firstPage = new Promise<void>((resolve) => {
  const stop = router.subscribe(({ initialized }) => initialized && settle());
  function settle() {
    stop();
    resolve();
  }
  if (router.state.initialized) settle();
});

/** Without a network, the texts may only be stored in the device's own language. */
const texts = loadTexts('common').catch(() => speak(languageFor(navigator.languages)));

// Until then, the document's splash screen stays.
Promise.all([firstPage, texts]).then(start, () => setTimeout(() => location.reload(), reloadMs));

addEventListener('load', () => void import('./after-load.tsx').catch(() => undefined));
