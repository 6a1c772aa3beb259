import type { TestApp } from '../harness.ts';

/** What the built-in issuer returns to the app for a chosen person, like Google unless `response_type` is `token`. */
export async function shownAtBuiltIn(
  { app }: Pick<TestApp, 'app'>,
  query: Record<string, string>,
): Promise<Record<string, string>> {
  const asked = { response_type: 'id_token', redirect_uri: '/app/sign-in', ...query };
  const { headers } = await app.inject(`/dev/idp/authorize?${new URLSearchParams(asked).toString()}`);
  return Object.fromEntries(new URLSearchParams(headers.location?.split('#')[1] ?? ''));
}
