/** The address that `text` is, relative to `base`; null if it is none. `URL.parse` is missing in the oldest browsers. */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}
