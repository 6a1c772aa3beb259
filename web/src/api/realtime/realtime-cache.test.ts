import { QueryObserver, type QueryKey } from '@tanstack/react-query';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { RealtimeEvent } from '#contract/realtime.ts';
import { message } from '../../../test/fixtures/conversations.ts';
import { keys } from '../keys.ts';
import { live, queryClient } from '../query-client.ts';
import { applyEvent } from './realtime-cache.ts';

const matchId = 'match-bo';
const news: RealtimeEvent = { kind: 'news' };
const reports: RealtimeEvent = { kind: 'reports' };

let stop = () => {};
afterEach(() => stop());

describe('an event during the first load of a query', () => {
  it.each<[RealtimeEvent, string, QueryKey]>([
    [{ kind: 'match', matchId }, 'matches', keys.matches],
    [{ kind: 'match', matchId }, 'likes', keys.likesReceived],
    [{ kind: 'matchEnded', matchId }, 'matches', keys.matches],
    [{ kind: 'matchEnded', matchId }, 'conversations', keys.conversations],
    [{ kind: 'message', matchId, message: message(1) }, 'conversations', keys.conversations],
    [{ kind: 'read', matchId, by: 'ada', seq: 1 }, 'conversations', keys.conversations],
    [{ kind: 'read', matchId, by: 'ada', seq: 1 }, 'unread conversations', keys.unreadConversations],
    [news, 'notifications', keys.newestNotification],
    [reports, 'reports', [...keys.allReports, { page: 1 }]],
    [reports, 'cases', [...keys.allCases, {}]],
    [reports, 'figures of reports', keys.reportStatistics],
    [{ kind: 'statistics' }, 'statistics', keys.statistics],
  ])('%o is not lost for %s', async (event, _name, queryKey) => {
    const answers: ((answer: string) => void)[] = [];
    const observer = new QueryObserver<string>(queryClient, {
      ...live,
      queryKey,
      queryFn: () => new Promise((resolve) => answers.push(resolve)),
    });
    stop = observer.subscribe(() => undefined);
    // Events about staff's figures are collected for two seconds.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    applyEvent(event);
    await vi.advanceTimersByTimeAsync(3000);
    expect(answers).toHaveLength(1);
    answers[0]?.('before the event');
    await vi.advanceTimersByTimeAsync(3000);
    expect(answers).toHaveLength(2);
    answers[1]?.('after the event');
    await vi.advanceTimersByTimeAsync(3000);
    expect(observer.getCurrentResult().data).toBe('after the event');
    expect(answers).toHaveLength(2);
  });
});
