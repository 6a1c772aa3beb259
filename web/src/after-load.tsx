import { startTransition, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { watchConnection } from './api/realtime/watch-connection.ts';
import { watchSessionEnd } from './api/session/left-behind.ts';
import { rereadSession } from './api/session/stored-session.ts';
import { noteVisit } from './features/installation/installing.ts';
import { AppStrip } from './features/shell/AppStrip.tsx';
import { watchVersions } from './features/shell/new-version.ts';
import { whenIdle, whenSettled } from './ui/loading/preload.ts';
import { languages } from '#contract/languages.ts';
import { loadTexts, speak } from './ui/text/catalogues.ts';

// In a separate root: it loads after the page, and remains if the page crashes.
const place = document.createElement('div');
document.body.append(place);
// The strip is not rendered again when its texts arrive.
loadTexts('common').then(
  () =>
    startTransition(() =>
      createRoot(place).render(
        <StrictMode>
          <AppStrip />
        </StrictMode>,
      ),
    ),
  () => undefined,
);

noteVisit();
whenIdle(followScheme);
watchSessionEnd();
watchConnection();
// Another tab has chosen a language.
window.addEventListener('storage', ({ key, newValue }) => {
  const chosen = languages.find((one) => key === 'language' && one === newValue);
  if (chosen !== undefined) speak(chosen).catch(() => undefined);
});
// A page restored by the Back button may have missed that the session ended.
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted) rereadSession();
});
if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  // Its service worker fetches some sixty files.
  whenSettled(() => void watchVersions().catch(() => undefined));
}

/** Sets the colour of the browser's own frame to the page colour of the chosen scheme, even if the system uses another one. */
function followScheme(): void {
  const root = document.documentElement;
  const metas = document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]');
  const follow = () => {
    const { backgroundColor } = getComputedStyle(root);
    for (const meta of metas) meta.content = backgroundColor;
  };
  new MutationObserver(follow).observe(root, { attributeFilter: ['data-mantine-color-scheme'] });
  follow();
}
