import { describe, expect, it, vi } from 'vitest';
import { uploadPicture } from '#contract/media.ts';
import { CutOff, received, serve } from '../../test/fake-server.ts';
import { ownUser } from '../../test/fixtures/people.ts';
import { picture } from '../../test/fixtures/pictures.ts';
import { call } from './call.ts';
import { keepSession } from './session/stored-session.ts';

/** A server that never answers. */
function silence(_url: string, { signal }: RequestInit) {
  return new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(new Error('aborted')));
  });
}

function signedIn() {
  keepSession({ token: 'old', refreshToken: 'refresh-old', user: ownUser() });
}

describe('upload', () => {
  const file = () => new File(['bytes'], 'me.jpg', { type: 'image/jpeg' });

  it('sends the file in a form, with an idempotency key', async () => {
    signedIn();
    serve(uploadPicture, () => ({ data: picture('me') }));
    await call(uploadPicture, { file: file() });
    const [request] = received(uploadPicture);
    expect(request?.file?.name).toBe('me.jpg');
    expect(await request?.file?.text()).toBe('bytes');
    expect(request?.headers.get('content-type')).toBeNull();
    expect(request?.headers.get('idempotency-key')).toMatch(/^[0-9a-f]{32}$/);
    expect(request?.token).toBe('old');
  });

  it('keeps the key for the same unanswered file, and uses a new key for another file', async () => {
    signedIn();
    serve(uploadPicture, () => {
      throw new CutOff();
    });
    const same = file();
    for (const sent of [same, same, file()]) {
      await expect(call(uploadPicture, { file: sent })).rejects.toMatchObject({ status: null });
    }
    const keys = received(uploadPicture).map(({ headers }) => headers.get('idempotency-key'));
    expect(keys).toHaveLength(9);
    expect(new Set(keys.slice(0, 6)).size).toBe(1);
    expect(keys[6]).not.toBe(keys[0]);
    expect(sessionStorage).toHaveLength(0);
  });

  it('may take longer than other requests', async () => {
    vi.useFakeTimers();
    vi.stubGlobal('fetch', silence);
    signedIn();
    let isOver = false;
    void call(uploadPicture, { file: file() }).catch(() => {
      isOver = true;
    });
    await vi.advanceTimersByTimeAsync(100_000);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(300_000);
    expect(isOver).toBe(true);
    vi.useRealTimers();
  });
});
