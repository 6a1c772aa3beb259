/** How a request is answered: from what is kept, as a page (else by the shell), or as if there were no service worker. */
export type Way = 'kept' | 'page' | 'untouched';

/** What of a request counts. */
export interface Asked {
  url: string;
  method: string;
  mode: string;
  headers: Pick<Headers, 'has'>;
}

const hashedFile = /^\/assets\/[\w-]+\.\w+$/;
/** Where the server alone answers most often. */
export const serverPaths = ['/api/*', '/realtime/*'];
const ofTheServer = /^\/(api|assets|dev|realtime|healthz|readyz|metrics)(\/|$)/;

/**
 * The way for one request. Whatever may depend on who asks is left untouched: calls, sockets, pictures, other origins, all that
 * carries a token. Of the rest only pages, files named by their hash and files of the shell are looked at.
 */
export function wayOf({ url, method, mode, headers }: Asked, origin: string, shell: readonly string[]): Way {
  const asked = new URL(url);
  const { pathname, search } = asked;
  if (asked.origin !== origin || method !== 'GET') return 'untouched';
  if (headers.has('authorization') || headers.has('range')) return 'untouched';
  if (mode === 'navigate') return ofTheServer.test(pathname) ? 'untouched' : 'page';
  return search === '' && (hashedFile.test(pathname) || shell.includes(pathname)) ? 'kept' : 'untouched';
}
