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

  const pause = (ms) => new Promise((done) => setTimeout(done, ms));

  // The built document has links to the app's scripts in a template (`build/preload.ts`). They run once the style sheets have arrived, and the
  // app itself once the first card is there: it keeps a slow phone busy for a second.
  let firstShown = Promise.resolve();
  const failed = new Set();
  document.addEventListener('error', ({ target }) => failed.add(target), true);
  const start = async () => {
    const isLoading = (link) => link.sheet === null && !failed.has(link);
    const sheets = [...document.querySelectorAll('link[rel="stylesheet"]')].filter(isLoading);
    const loaded = sheets.map((sheet) => new Promise((done) => (sheet.onload = sheet.onerror = done)));
    await Promise.race([Promise.all(loaded), pause(10_000)]);
    for (const link of document.querySelectorAll('link[data-start]')) {
      if (link.dataset.start === 'after-card') await firstShown;
      const script = document.createElement('script');
      Object.assign(script, { type: 'module', crossOrigin: '', src: link.getAttribute('href') });
      document.head.append(script);
    }
  };
  document.addEventListener('DOMContentLoaded', () => {
    const links = document.querySelector('template[data-links]');
    if (links !== null) document.head.append(links.content);
    void start();
  });

  // The first cards are asked for along with the code, and the first is shown; the app takes the answer over (`takeEarly`).
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
      const { user, distanceFormatted, reasons } = (await copy.json()).data.cards[0];
      const [picture] = user.pictures;
      const image = new Image();
      image.fetchPriority = 'high';
      image.sizes = '(min-width: 60rem) 28rem, 100vw';
      image.srcset = `${picture.thumbnailUrl} 400w, ${picture.url} ${picture.width}w`;
      image.alt = '';
      const face = document.createElement('div');
      face.dir = 'auto';
      const lines = [
        [user.firstName ?? user.name, user.age].filter(Boolean).join(', '),
        [user.location?.city, distanceFormatted].filter(Boolean).join(' · '),
        // The app knows the words; the room for them keeps the name in its place.
        ...reasons.slice(0, 1).map(() => '\u00A0'),
      ];
      for (const line of lines.filter(Boolean)) face.appendChild(document.createElement('p')).textContent = line;
      // Shown at once, and then by the app until it has drawn the card.
      early.card = [image, face];
      document.querySelector('.early-card')?.append(image, face);
      await Promise.race([image.decode(), pause(200)]);
    };
    // Without cards or a picture there is nothing to show; what went wrong is for the app to say.
    firstShown = Promise.race([showFirst().catch(() => undefined), pause(1000)]);
  }
}
