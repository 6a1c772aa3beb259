import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ownUser } from '../test/fixtures/people.ts';
import { brokenStorages, breakStorage } from '../test/broken-storage.ts';
import { keep, keepChoice, readChoice, readKept } from './api/session/kept.ts';
import { clearSession, keepSession, readSession, renewalKey } from './api/session/stored-session.ts';
import { deleteCaches, deviceStorage, openCache, tabStorage } from './browser-storage.ts';
import { dropDraft, keepDraft, readDraft } from './ui/form/drafts.ts';
import { chooseLanguage } from './ui/text/catalogues.ts';

describe.each(brokenStorages)('with a storage that is %s', (state) => {
  beforeEach(() => {
    keepSession({ token: 'token-1', refreshToken: 'refresh-1', user: ownUser() });
    deviceStorage.write('known', 'before');
    breakStorage(state);
  });

  it('keeps a text that cannot be stored in memory until it is removed, and reports that', () => {
    for (const storage of [deviceStorage, tabStorage]) {
      expect(storage.write('known', 'now')).toBe(false);
      expect([storage.read('known'), storage.keys().includes('known')]).toEqual(['now', true]);
      storage.remove('known');
      expect([storage.read('known'), storage.keys().includes('known')]).toEqual([null, false]);
    }
  });

  it('removes an older text that a reload would mistake for the last one', () => {
    deviceStorage.write('known', 'now');
    vi.unstubAllGlobals();
    expect(localStorage.getItem('known')).toBe(state === 'full' ? null : 'before');
  });

  it('replaces its text with the one from another tab', () => {
    deviceStorage.write('known', 'now');
    vi.unstubAllGlobals();
    localStorage.setItem('known', 'theirs');
    window.dispatchEvent(new StorageEvent('storage', { key: 'known' }));
    expect(deviceStorage.read('known')).toBe('theirs');
  });

  it('keeps the session, its renewal, typed texts and choices as long as the page is open', async () => {
    keepSession({ token: 'token-2', refreshToken: 'refresh-2', user: ownUser() });
    expect(readSession()).toMatchObject({ token: 'token-2', refreshToken: 'refresh-2', user: { _id: ownUser()._id } });
    expect(renewalKey(() => 'first')).toBe(renewalKey(() => 'second'));
    expect(keep('draft:match-1', 'Hello')).toBe(false);
    keepChoice('columns', 'name');
    keepDraft('report', { description: 'He' });
    await chooseLanguage('de');
    expect([
      readKept('draft:match-1'),
      readChoice('columns'),
      readDraft('report'),
      deviceStorage.read('language'),
    ]).toEqual(['Hello', 'name', { description: 'He' }, 'de']);
    dropDraft('report');
    clearSession('signedOut');
    expect([readSession().token, readKept('draft:match-1'), readDraft('report')]).toEqual([null, null, null]);
  });

  it('has no caches, and nothing to delete from them', async () => {
    expect(await openCache('unsent-1')).toBeNull();
    await deleteCaches(() => true);
  });
});
