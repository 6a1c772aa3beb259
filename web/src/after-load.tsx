import { startTransition, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { watchSessionEnd } from './api/session/left-behind.ts';
import { rereadSession } from './api/session/stored-session.ts';
import { watchConnection } from './api/realtime/watch-connection.ts';
import { noteVisit } from './features/installation/installing.ts';
import { AppStrip } from './features/shell/AppStrip.tsx';
import { watchVersions } from './features/shell/new-version.ts';
import { followScheme } from './ui/theme/scheme-colour.ts';

// In a separate root: it loads after the page, and remains if the page crashes.
const place = document.createElement('div');
document.body.append(place);
startTransition(() =>
  createRoot(place).render(
    <StrictMode>
      <AppStrip />
    </StrictMode>,
  ),
);

// Fetched now, because it may be missing later, after a deployment has removed files.
void import('./ui/feedback/Unfetched.tsx').catch(() => undefined);
noteVisit();
followScheme();
watchSessionEnd();
watchConnection();
// A page restored by the Back button may have missed that the session ended.
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted) rereadSession();
});
if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  const begin = () => void watchVersions().catch(() => undefined);
  // Let the page finish loading first.
  if ('requestIdleCallback' in window) window.requestIdleCallback(begin, { timeout: 3000 });
  else setTimeout(begin, 1000);
}
