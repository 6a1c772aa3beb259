import { QueryObserver, type QueryKey } from '@tanstack/react-query';
import { waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { listCases } from '#contract/moderation/case-list.ts';
import { getReportFile } from '#contract/moderation/report-file.ts';
import { getReportStatistics, listReports } from '#contract/moderation/staff-reports.ts';
import { getStatistics } from '#contract/statistics.ts';
import type { RealtimeEvent } from '#contract/realtime.ts';
import { message } from '../../../test/fixtures/conversations.ts';
import { keys } from '../keys.ts';
import { live, queryClient } from '../query-client.ts';
import { applyEvent } from './realtime-cache.ts';

const matchId = 'match-bo';
const news: RealtimeEvent = { kind: 'news' };
const reports: RealtimeEvent = { kind: 'reports' };

const reportFile = [getReportFile.path, { id: 'report-1' }];

const stops: (() => void)[] = [];
afterEach(() => stops.splice(0).forEach((stop) => stop()));

describe('applyEvent during the first load of a query', () => {
  it.each<[RealtimeEvent, string, QueryKey]>([
    [{ kind: 'match', matchId }, 'matches', keys.matches],
    [{ kind: 'match', matchId }, 'likes', keys.likesReceived],
    [{ kind: 'matchEnded', matchId }, 'matches', keys.matches],
    [{ kind: 'matchEnded', matchId }, 'conversations', keys.conversations],
    [{ kind: 'message', matchId, message: message(1) }, 'conversations', keys.conversations],
    [{ kind: 'read', matchId, by: 'ada', seq: 1 }, 'conversations', keys.conversations],
    [{ kind: 'read', matchId, by: 'ada', seq: 1 }, 'unread conversations', keys.unreadConversations],
    [news, 'notifications', keys.newestNotification],
    [reports, 'reports', [listReports.path, { page: 1 }]],
    [reports, 'cases', [listCases.path, {}, 'pages']],
    [reports, 'figures of reports', [getReportStatistics.path, {}]],
    [{ kind: 'statistics' }, 'statistics', [getStatistics.path, {}]],
  ])('applies %o to %s', async (event, _name, queryKey) => {
    const answers: ((answer: string) => void)[] = [];
    const observer = new QueryObserver<string>(queryClient, {
      ...live,
      queryKey,
      queryFn: () => new Promise((resolve) => answers.push(resolve)),
    });
    stops.push(observer.subscribe(() => undefined));
    // Events about staff figures are collected for two seconds.
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

describe('applyEvent for an ended match while unread conversations are being counted', () => {
  it('counts them again, because the answer may be older', async () => {
    const answers: ((count: number) => void)[] = [];
    const observer = new QueryObserver<number>(queryClient, {
      ...live,
      queryKey: keys.unreadConversations,
      queryFn: () => new Promise((resolve) => answers.push(resolve)),
    });
    stops.push(observer.subscribe(() => undefined));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    applyEvent({ kind: 'matchEnded', matchId, unreadConversations: 0 });
    expect(observer.getCurrentResult().data).toBe(0);
    answers[0]?.(1);
    await vi.advanceTimersByTimeAsync(3000);
    expect(answers).toHaveLength(2);
    answers[1]?.(0);
    await vi.advanceTimersByTimeAsync(3000);
    expect(observer.getCurrentResult().data).toBe(0);
  });
});

describe('applyEvent for changed reports', () => {
  /** Puts a server answer on the screen. The returned function counts the requests for it since then. */
  async function show(queryKey: QueryKey, data: unknown): Promise<() => number> {
    let asked = -1;
    const observer = new QueryObserver(queryClient, {
      ...live,
      queryKey,
      queryFn: async () => {
        asked += 1;
        return data;
      },
    });
    stops.push(observer.subscribe(() => undefined));
    await waitFor(() => expect(asked).toBe(0));
    return () => asked;
  }

  it('fetches the lists that show one of them, but only marks opened files as outdated', async () => {
    const page = (...ids: string[]) => ({ reports: ids.map((_id) => ({ _id })) });
    const asked = await Promise.all([
      show([listReports.path, { page: 1 }], page('report-1', 'report-2')),
      show([listReports.path, { page: 2 }], page('report-3')),
      show([listCases.path, { view: 'open' }, 'pages'], { pages: [{ cases: [{ _id: 'case-1' }] }] }),
      show([listCases.path, { view: 'mine' }, 'pages'], { pages: [{ cases: [] }] }),
      show([getReportStatistics.path, {}], {}),
      show(reportFile, page('report-1')),
    ]);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    applyEvent({ kind: 'reports', changed: { reports: ['report-1'], cases: ['case-1'] } });
    await vi.advanceTimersByTimeAsync(3000);
    expect(asked.map((count) => count())).toEqual([1, 0, 1, 0, 1, 0]);
    expect(queryClient.getQueryState(reportFile)?.isInvalidated).toBe(true);
    applyEvent({ kind: 'reports', changed: { reports: [], cases: [] } });
    await vi.advanceTimersByTimeAsync(3000);
    expect(asked.map((count) => count())).toEqual([1, 0, 1, 0, 2, 0]);
    applyEvent(reports);
    await vi.advanceTimersByTimeAsync(3000);
    expect(asked.map((count) => count())).toEqual([2, 1, 2, 1, 3, 0]);
  });
});
