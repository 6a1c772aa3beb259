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
      // As the app writes them: texts from right to left keep their direction to themselves, and a range is not broken.
      const isolated = (text) =>
        /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/.test(text) ? `\u2068${text}\u2069` : text;
      const distance = distanceFormatted?.replace('–', '–\u2060');
      const lines = [
        [isolated(user.firstName ?? user.name), user.age].filter(Boolean).join(', '),
        [isolated(user.location?.city), distance].filter(Boolean).join(' · '),
        // The app knows the words; the room for them keeps the name in its place.
        ...reasons.slice(0, 1).map(() => '\u00A0'),
      ];
      for (const line of lines.filter(Boolean)) face.appendChild(document.createElement('p')).textContent = line;
      // Shown at once, and then by the app until it has drawn the card.
      early.card = [image, face];
      document.querySelector('.early-card')?.append(image, face);
    };
    // Without cards or a picture there is nothing to show; what went wrong is for the app to say.
    showFirst().catch(() => undefined);
  }
}
