import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { listMyReports } from '#contract/moderation/reports.ts';
import { CutOff, received, serve } from '../../../test/fake-server.ts';
import { ownReport, serveMyReports } from '../../../test/fixtures/own-reports.ts';
import { clearSession, keepSession } from '../../api/session/stored-session.ts';
import { useUnread, watchUnread } from './unread.tsx';

const minute = 60_000;
const count = () => useUnread.getState().count;
const asked = () => received(listMyReports).length;
let visibility: DocumentVisibilityState;
let stop: () => void;

describe('watching for answers', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    visibility = 'visible';
    vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => visibility);
    keepSession({ token: 'token-1', refreshToken: 'refresh-1' });
    serveMyReports([ownReport({ isUnread: true })]);
    stop = watchUnread();
  });
  afterEach(() => {
    stop();
    vi.useRealTimers();
  });
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

  it('asks at once and each minute', async () => {
    await pass(0);
    expect(count()).toBe(1);
    serveMyReports([]);
    await pass(minute);
    expect([asked(), count()]).toEqual([2, 0]);
    stop();
    await pass(5 * minute);
    expect(asked()).toBe(2);
  });

  it('waits while the page is out of view, and asks when it is back', async () => {
    await pass(0);
    visibility = 'hidden';
    await pass(3 * minute);
    expect(asked()).toBe(1);
    visibility = 'visible';
    document.dispatchEvent(new Event('visibilitychange'));
    await pass(0);
    expect(asked()).toBe(2);
    document.dispatchEvent(new Event('visibilitychange'));
    await pass(0);
    expect(asked()).toBe(2);
  });

  it('keeps the count when no answer comes, and forgets it with the session', async () => {
    await pass(0);
    serve(listMyReports, () => {
      throw new CutOff();
    });
    await pass(minute);
    expect(count()).toBe(1);
    clearSession('signedOut');
    expect(count()).toBe(0);
  });
});
