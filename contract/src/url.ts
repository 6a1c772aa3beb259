/** The URL that `text` stands for, relative to `base`; null if it is not one. `URL.parse` is missing in the oldest browsers. */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}
