/** The token named `name` behind the `#` of an emailed link; null without one. */
export function tokenIn(link: string | undefined, name = 'token'): string | null {
  return new URLSearchParams(new URL(link ?? 'https://none.test').hash.slice(1)).get(name);
}
