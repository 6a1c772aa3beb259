import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { listMyReports } from '#contract/moderation/reports.ts';
import { CutOff, failWith, received } from '../../../../test/fake-server.ts';
import { ownReport, serveMyReports } from '../../../../test/fixtures/own-reports.ts';
import { ownUser } from '../../../../test/fixtures/people.ts';
import { queryClient } from '../../../api/query-client.ts';
import { clearSession, keepSession } from '../../../api/session/stored-session.ts';
import { unreadQuery, watchUnread } from './unread.tsx';

const minute = 60_000;
const count = () => queryClient.getQueryData(unreadQuery.queryKey) ?? 0;
const asked = () => received(listMyReports).length;
let visibility: DocumentVisibilityState;
let stop: () => void;

describe('watchUnread', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    visibility = 'visible';
    vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => visibility);
    keepSession({ token: 'token-1', refreshToken: 'refresh-1', user: ownUser() });
    serveMyReports([ownReport({ isUnread: true })]);
    queryClient.mount();
    stop = watchUnread();
  });
  afterEach(() => {
    stop();
    queryClient.unmount();
    vi.useRealTimers();
  });
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

  it('loads the number at once and every minute', async () => {
    await pass(0);
    expect(count()).toBe(1);
    serveMyReports([]);
    await pass(minute);
    expect([asked(), count()]).toEqual([2, 0]);
    stop();
    await pass(5 * minute);
    expect(asked()).toBe(2);
  });

  it('pauses while the page is hidden, and loads the number when it is visible again', async () => {
    await pass(0);
    visibility = 'hidden';
    await pass(3 * minute);
    expect(asked()).toBe(1);
    visibility = 'visible';
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
    await pass(0);
    expect(asked()).toBe(2);
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
    await pass(0);
    expect(asked()).toBe(2);
  });

  it('keeps the number if there is no answer, and clears it when the session ends', async () => {
    await pass(0);
    failWith(listMyReports, new CutOff());
    await pass(minute);
    expect(count()).toBe(1);
    clearSession('signedOut');
    expect(count()).toBe(0);
  });
});
