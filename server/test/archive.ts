import { unzipSync } from 'fflate';
import { expect } from 'vitest';
import type { Proof } from '#contract/auth/factors.ts';
import { apiBasePath } from '#contract/constants.ts';
import { askForExport, exportOwnData } from '#contract/takeout.ts';
import type { TestApp } from './harness.ts';

/** Downloads an account's archive; without headers, it relies on a confirmation in the last ten minutes. */
export const downloadArchive = (test: TestApp, token: string, headers: Record<string, string> = {}) =>
  test.app.inject({
    url: apiBasePath + exportOwnData.path,
    headers: { ...headers, authorization: `Bearer ${token}` },
  });

/** Runs jobs until a request is answered, as a running service does. */
export async function whileJobsRun<T>(test: TestApp, request: Promise<T>): Promise<T> {
  const state = { isAnswered: false };
  const answering = request.finally(() => {
    state.isAnswered = true;
  });
  await expect
    .poll(
      async () => {
        await test.drain();
        return state.isAnswered;
      },
      { timeout: 60_000 },
    )
    .toBe(true);
  return await answering;
}

/** Prepares an account's archive now and downloads it; returns the bytes of each file by name. */
export async function takeArchive(test: TestApp, token: string, proof: Proof): Promise<Record<string, Uint8Array>> {
  const { body } = await test.call(askForExport, { token, body: proof });
  if (body.data.export.state !== 'preparing') throw new Error('a new archive was expected');
  await test.drain();
  const { rawPayload } = await downloadArchive(test, token);
  return unzipSync(new Uint8Array(rawPayload));
}
