/** How a request is answered: from the cache, as a page (otherwise by the shell), by storing shared pictures, or as if there were no service worker. */
export type Way = 'kept' | 'page' | 'shared' | 'untouched';

/** The parts of a request that matter. */
export interface Asked {
  url: string;
  method: string;
  mode: string;
  headers: Pick<Headers, 'has'>;
}

/** The path to which the manifest makes other apps send pictures. */
const sharePath = '/app/share';
const hashedFile = /^\/assets\/[\w-]+\.\w+$/;
/** Paths that usually only the server answers. */
export const serverPaths = ['/api/*', '/realtime/*'];
const ofTheServer = /^\/(api|assets|dev|realtime|healthz|readyz|metrics|\.well-known)(\/|$)|^\/app\/status$/;

/**
 * How to answer one request. Anything that may depend on the user is left untouched: calls, sockets, pictures, other
 * origins, anything with a token. Of the rest, only pages, hashed files and files of the shell are handled.
 */
export function wayOf({ url, method, mode, headers }: Asked, origin: string, shell: readonly string[]): Way {
  const asked = new URL(url);
  const { pathname, search } = asked;
  if (asked.origin === origin && method === 'POST' && mode === 'navigate' && pathname === sharePath) return 'shared';
  if (asked.origin !== origin || method !== 'GET') return 'untouched';
  if (headers.has('authorization') || headers.has('range')) return 'untouched';
  if (mode === 'navigate') return ofTheServer.test(pathname) ? 'untouched' : 'page';
  return search === '' && (hashedFile.test(pathname) || shell.includes(pathname)) ? 'kept' : 'untouched';
}
