import { languageFor } from '#contract/languages.ts';
import { keptPageMark, type Shell, unsentPrefix, visitedPrefix } from './agreement.ts';

/** The caches and the fetch function; the service worker's own, or a test's. */
export interface Means {
  caches: Pick<CacheStorage, 'open' | 'match' | 'keys' | 'delete'>;
  fetch: (input: RequestInfo, init?: RequestInit) => Promise<Response>;
}

const page = '/';
/** How long to wait for a page before using the shell. */
const patienceMs = 8000;

const shellPrefix = 'shell-';

async function fetchWhole(path: string, { fetch }: Means, init?: RequestInit): Promise<Response> {
  const response = await fetch(path, { ...init, redirect: 'error', priority: 'low' });
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return response;
}

/** The marked page, which later loads without a network. */
function marked(text: string, { headers }: Response): Response {
  const kept = new Headers(headers);
  for (const name of ['content-encoding', 'content-length']) kept.delete(name);
  kept.set('server-timing', keptPageMark);
  return new Response(text, { headers: kept });
}

/**
 * Stores the whole shell with the texts for a device's language tags, or throws: during a deployment, a server of another
 * version has other files.
 */
export async function keepShell(
  { version, entry, files, texts }: Shell,
  means: Means,
  tags: readonly string[],
): Promise<void> {
  const start = await fetchWhole(page, means, { cache: 'no-cache' });
  const text = await start.text();
  if (!text.includes(entry)) throw new Error('The page is of another version');
  const cache = await means.caches.open(shellPrefix + version);
  const keep = async (path: string) => cache.put(path, await fetchWhole(path, means));
  // The page is in the service's first language if the device has none of ours.
  const spoken = languageFor([...tags, /<html[^>]* lang="([^"]*)"/.exec(text)?.[1] ?? '']);
  await Promise.all([...files, ...(texts[spoken] ?? texts.en ?? [])].map(keep));
  await cache.put(page, marked(text, start));
}

/** Deletes the caches of other versions, but nothing that has not been sent yet. */
export async function dropOthers({ version }: Shell, { caches }: Means): Promise<void> {
  const own = [shellPrefix + version, visitedPrefix + version];
  const others = (await caches.keys()).filter((name) => !own.includes(name) && !name.startsWith(unsentPrefix));
  await Promise.all(others.map((name) => caches.delete(name)));
}

/**
 * A cached file, or else one that is fetched and cached from now on: content never changes under the same name.
 * `after` takes the work that needn't be awaited. Files requested before the last `forgotten` are not cached.
 */
export async function answerKept(
  request: Request,
  { version }: Shell,
  { caches, fetch }: Means,
  after: (work: Promise<unknown>) => void,
  forgotten: () => number = () => 0,
): Promise<Response> {
  const round = forgotten();
  const kept = await caches.match(request, { ignoreVary: true });
  if (kept !== undefined) return kept;
  const response = await fetch(request);
  if (response.status === 200) {
    const copy = response.clone();
    const keep = async () => {
      if (round !== forgotten()) return;
      const cache = await caches.open(visitedPrefix + version);
      await cache.put(request, copy);
      if (round !== forgotten()) await caches.delete(visitedPrefix + version);
    };
    after(keep());
  }
  return response;
}

/** Deletes the files of opened pages. */
export async function dropVisited({ caches }: Pick<Means, 'caches'>): Promise<void> {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(visitedPrefix)).map((name) => caches.delete(name)));
}

/** A page from the network, or the shell if there is no network or it takes too long. */
export async function answerPage(
  fromNetwork: Promise<Response>,
  { caches }: Pick<Means, 'caches'>,
  waitMs = patienceMs,
): Promise<Response> {
  const ofShell = () => caches.match(page, { ignoreVary: true });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const patience = new Promise((resolve) => {
    timer = setTimeout(resolve, waitMs);
  });
  const instead = patience.then(async () => (await ofShell()) ?? fromNetwork);
  try {
    return await Promise.race([fromNetwork, instead]);
  } catch (error) {
    const kept = await ofShell();
    if (kept === undefined) throw error;
    return kept;
  } finally {
    clearTimeout(timer);
  }
}
