// Part of the document (`build/early.ts`): runs before the first paint and before the app's code has arrived.
{
  const stored = (key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null; // Without storage no one is signed in, and the system's scheme applies.
    }
  };

  // A stored colour scheme never flashes the other one.
  const scheme = stored('color-scheme');
  const isDark = scheme === 'dark' || (scheme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  const root = document.documentElement;
  root.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light');

  // The first cards and their first picture are asked for along with the code; the app takes the answer over (`takeEarly`).
  const token = stored('token');
  if (token === null && location.pathname === '/app/join') root.dataset.boot = 'join';
  if (token !== null && location.pathname === '/app/discover') {
    const base = document.querySelector('meta[name="api-base"]').content.replace(/\/$/, '');
    const url = `${base}/discovery?limit=20&pictures=once`;
    const response = fetch(url, {
      headers: { accept: 'application/json', authorization: `Bearer ${token}` },
      credentials: 'include',
      signal: AbortSignal.timeout(20_000),
    });
    root.dataset.boot = 'deck';
    const early = { url, token, at: performance.now(), response };
    globalThis.earlyCall = early;
    const showFirst = async () => {
      const copy = (await response).clone();
      const [picture] = (await copy.json()).data.cards[0].user.pictures;
      const image = new Image();
      image.fetchPriority = 'high';
      image.sizes = '(min-width: 60rem) 28rem, 100vw';
      image.srcset = `${picture.thumbnailUrl} 400w, ${picture.url} ${picture.width}w`;
      image.alt = '';
      // Shown at once, and then by the app until it has drawn the card.
      early.picture = image;
      document.querySelector('.early-photo')?.append(image);
    };
    // Without cards or pictures there is nothing to show; what went wrong is for the app to say.
    showFirst().catch(() => undefined);
  }
}
