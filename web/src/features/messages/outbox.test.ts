import { act, renderHook, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { uploadMessageMedia } from '#contract/messages/message-media.ts';
import { sendMessage } from '#contract/messages/messages.ts';
import { breakStorage, brokenStorages } from '../../../test/broken-storage.ts';
import { serveConversations } from '../../../test/fixtures/conversations.ts';
import { ownUser } from '../../../test/fixtures/people.ts';
import { CutOff, failWith, received, Refusal, serve } from '../../../test/fake-server.ts';
import { replaceProperty } from '../../../test/replaced.ts';
import { keepSession } from '../../api/session/stored-session.ts';

const matchId = 'match-bo';
const unsentStart = `kept:${ownUser()._id}:outbox:`;
const unsentEntries = () => Object.keys(localStorage).filter((key) => key.startsWith(unsentStart));

/** Opens or reloads a tab. All tabs share the storage, but they only notice changes through `notifyTabs`. */
async function openTab() {
  vi.resetModules();
  const outbox = await import('./outbox.ts');
  const unsent = () => {
    const { result, unmount } = renderHook(() => outbox.useOutgoing(matchId));
    unmount();
    return result.current.map(({ text }) => text);
  };
  return { ...outbox, unsent };
}

/** Notifies the tabs of entries that another tab has changed in the storage. */
function notifyTabs(...entries: string[]): void {
  for (const key of entries) window.dispatchEvent(new StorageEvent('storage', { key }));
}

beforeEach(() => {
  keepSession({ token: 'token-1', refreshToken: 'refresh-1', user: ownUser() });
  failWith(sendMessage, new CutOff());
});

describe('unsent messages from two tabs', () => {
  it('are all kept and shown in both tabs, and each is sent once', async () => {
    const [one, other] = [await openTab(), await openTab()];
    vi.useFakeTimers({ toFake: ['Date'] });
    for (const [at, [tab, text]] of [
      [one, 'One'] as const,
      [other, 'Two'] as const,
      [one, 'Three'] as const,
    ].entries()) {
      vi.setSystemTime(Date.parse('2025-10-20T10:00:00.000Z') + at * 1000);
      tab.post(matchId, text);
    }
    vi.useRealTimers();
    notifyTabs(...unsentEntries());
    expect([one.unsent(), other.unsent()]).toEqual([
      ['One', 'Two', 'Three'],
      ['One', 'Two', 'Three'],
    ]);
    expect((await openTab()).unsent()).toEqual(['One', 'Two', 'Three']);
    const known = serveConversations({ Bo: [] });
    window.dispatchEvent(new Event('online'));
    await waitFor(() => expect(unsentEntries()).toEqual([]));
    expect(known.messages[matchId]?.map(({ text }) => text)).toEqual(['One', 'Two', 'Three']);
  });

  it('disappear in both tabs when one tab discards a refused message', async () => {
    failWith(sendMessage, new Refusal('INVALID_INPUT', 'Too long'));
    const [one, other] = [await openTab(), await openTab()];
    one.post(matchId, 'One');
    await waitFor(() => expect(localStorage.getItem(unsentEntries()[0] ?? '')).toContain('failed'));
    const entries = unsentEntries();
    notifyTabs(...entries);
    expect(other.unsent()).toEqual(['One']);
    one.discard(matchId, entries[0]?.split(':').at(-1) ?? '');
    notifyTabs(...entries);
    expect([one.unsent(), other.unsent(), unsentEntries()]).toEqual([[], [], []]);
    expect(received(sendMessage)).toHaveLength(1);
  });
});

describe('a message that the browser cannot store', () => {
  it.each(brokenStorages)('is sent from memory, and is marked as unsaved in a storage that is %s', async (state) => {
    breakStorage(state);
    const tab = await openTab();
    const { result } = renderHook(() => tab.useOutgoing(matchId));
    act(() => tab.post(matchId, 'Hello'));
    expect(result.current).toMatchObject([{ text: 'Hello', isUnstored: true }]);
    await waitFor(() => expect(result.current).toMatchObject([{ state: 'delayed', isUnstored: true }]));
    const known = serveConversations({ Bo: [] });
    act(() => void window.dispatchEvent(new Event('online')));
    await waitFor(() => expect(result.current).toEqual([]));
    expect(known.messages[matchId]?.map(({ text }) => text)).toEqual(['Hello']);
  });

  it('is marked as unsaved if there is no room for its photo', async () => {
    vi.stubGlobal('caches', { open: async () => Promise.reject(new DOMException('Full', 'QuotaExceededError')) });
    const tab = await openTab();
    const { keepFile } = await import('./photos/unsent-files.ts');
    const { result } = renderHook(() => tab.useOutgoing(matchId));
    keepFile('photo-1', new File(['photo'], 'photo.webp'));
    act(() => tab.post(matchId, '', { pictures: [{ name: 'photo-1', width: 4, height: 5 }] }));
    await waitFor(() => expect(result.current).toMatchObject([{ state: 'delayed', isUnstored: true }]));
    act(() => tab.discard(matchId, result.current[0]?.clientId ?? ''));
  });

  it('has no such mark if it is stored', async () => {
    const tab = await openTab();
    const { result } = renderHook(() => tab.useOutgoing(matchId));
    act(() => tab.post(matchId, 'Hello'));
    await waitFor(() => expect(result.current).toMatchObject([{ state: 'delayed' }]));
    expect(result.current[0]).not.toHaveProperty('isUnstored');
    act(() => tab.discard(matchId, result.current[0]?.clientId ?? ''));
  });
});

describe('the photos of an unsent message', () => {
  /** The browser's locks, which hold one task of a name at a time. */
  function serveLocks(): void {
    const last = new Map<string, Promise<unknown>>();
    const request = async (name: string, ...rest: unknown[]) => {
      const result = (last.get(name) ?? Promise.resolve()).then(rest.at(-1) as () => unknown);
      last.set(
        name,
        result.catch(() => undefined),
      );
      return await result;
    };
    replaceProperty(navigator, 'locks', { request });
  }

  it('are uploaded by one of two open tabs', async () => {
    const entries = new Map<string, Response>();
    vi.stubGlobal('caches', {
      open: async () => ({
        put: async (key: string, file: Response) => void entries.set(key, file),
        match: async (key: string) => entries.get(key)?.clone(),
        delete: async (key: string) => entries.delete(key),
      }),
      keys: async () => [],
    });
    serveLocks();
    failWith(uploadMessageMedia, new CutOff());
    const one = await openTab();
    const { keepFile } = await import('./photos/unsent-files.ts');
    const pictures = ['photo-1', 'photo-2'].map((name) => ({ name, width: 4, height: 5 }));
    for (const { name } of pictures) keepFile(name, new File(['photo'], name));
    await waitFor(() => expect(entries.size).toBe(2));
    one.post(matchId, '', { pictures });
    const shownIn = ({ useOutgoing }: typeof one) => renderHook(() => useOutgoing(matchId)).result;
    const inOne = shownIn(one);
    await waitFor(() => expect(inOne.current).toMatchObject([{ state: 'delayed' }]));
    const inOther = shownIn(await openTab());
    await waitFor(() => expect(inOther.current).toMatchObject([{ state: 'delayed' }]));
    const before = received(uploadMessageMedia).length;
    let uploads = 0;
    serve(uploadMessageMedia, () => ({ data: { _id: `photo-${(uploads += 1)}`.padEnd(22, '-') } }));
    const known = serveConversations({ Bo: [] });
    window.dispatchEvent(new Event('online'));
    await waitFor(() => expect([known.messages[matchId]?.length, unsentEntries()]).toEqual([1, []]));
    notifyTabs(...unsentEntries());
    expect(received(uploadMessageMedia).length - before).toBe(2);
    for (const shown of [inOne, inOther]) await waitFor(() => expect(shown.current).toEqual([]));
  });
});

describe('a list of unsent messages stored by an earlier release', () => {
  it('is sent like any other message', async () => {
    const kept = { text: 'Before', writtenAt: '2025-10-20T10:00:00.000Z', state: 'sending', problem: null };
    const list = [
      { ...kept, clientId: 'from-before-1' },
      { ...kept, clientId: 'from-before-2', writtenAt: '2025-10-20T10:00:01.000Z' },
    ];
    localStorage.setItem(unsentStart + matchId, JSON.stringify(list));
    const known = serveConversations({ Bo: [] });
    await openTab();
    await waitFor(() => expect(unsentEntries()).toEqual([]));
    expect(known.messages[matchId]?.map(({ clientId }) => clientId)).toEqual(['from-before-1', 'from-before-2']);
  });
});
