import { startGoogle, type TestIssuer } from './doubles/google-issuer.ts';
import { startApp, type TestApp } from './harness.ts';

/** Starts the app with Google sign-in pointed at a local issuer; `close` stops both. */
export async function startWithGoogle(environment: Record<string, string> = {}) {
  const google: TestIssuer = await startGoogle();
  const test: TestApp = await startApp({ ...google.environment, ...environment });
  const close = async () => {
    await test.close();
    await google.close();
  };
  return { google, test, close };
}
