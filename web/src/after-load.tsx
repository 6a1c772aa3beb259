import { startTransition, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { watchSessionEnd } from './api/session/left-behind.ts';
import { rereadSession } from './api/session/stored-session.ts';
import { watchConnection } from './api/realtime/watch-connection.ts';
import { noteVisit } from './features/installation/installing.ts';
import { AppStrip } from './features/shell/AppStrip.tsx';
import { watchVersions } from './features/shell/new-version.ts';
import { followScheme } from './ui/theme/scheme-colour.ts';

// In a root of its own: it comes when the page is there, and stands when a screen of the page has crashed.
const place = document.createElement('div');
document.body.append(place);
startTransition(() =>
  createRoot(place).render(
    <StrictMode>
      <AppStrip />
    </StrictMode>,
  ),
);

// Once a deployment has taken files away, what says so could not be fetched either.
void import('./ui/feedback/Unfetched.tsx').catch(() => undefined);
noteVisit();
followScheme();
watchSessionEnd();
watchConnection();
// A page that Back brings to life again as it was has not heard of a session's end meanwhile.
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted) rereadSession();
});
if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  const begin = () => void watchVersions().catch(() => undefined);
  // What the page itself still fetches and draws comes first.
  if ('requestIdleCallback' in window) window.requestIdleCallback(begin, { timeout: 3000 });
  else setTimeout(begin, 1000);
}
