/** The longest part of an address between two slashes, which the router's `maxParamLength` must reach. */
export const longestAddressPart = 256;

const nowhere = '/api/unreadable';
const overlongPart = new RegExp(`[^/]{${longestAddressPart + 1}}`);

/**
 * The address as it came, if the router can take it apart, else one that is nowhere: the refusals of the router itself know
 * neither our headers nor our error body.
 */
export function readableAddress(url: string): string {
  const path = url.split(/[?#]/, 1)[0] ?? '';
  return overlongPart.test(path) || !isDecodable(path) ? nowhere : url;
}

function isDecodable(path: string): boolean {
  if (!path.includes('%')) return true;
  try {
    decodeURI(path);
    return true;
  } catch {
    return false;
  }
}
