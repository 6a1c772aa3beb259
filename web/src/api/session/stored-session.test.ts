import { beforeEach, describe, expect, it } from 'vitest';
import { ownUser } from '../../../test/fixtures/people.ts';
import { keepDraft, readDraft } from '../../ui/form/drafts.ts';
import { keep } from './kept.ts';
import { clearSession, keepSession, onSessionChange, rereadSession } from './stored-session.ts';

const ofDevice = { 'color-scheme': 'dark', 'single-keys': 'off', 'device:visits': '2', 'device:install-closed': '1' };

beforeEach(() => {
  for (const [key, value] of Object.entries(ofDevice)) localStorage.setItem(key, value);
  keepSession({ token: 'token-1', refreshToken: 'refresh-1', user: ownUser() });
  keep('draft:match-1', 'What I never sent');
  keep('outbox:match-1', '[]');
  localStorage.setItem('subscription', '{}');
  localStorage.setItem('colour-schemes', 'a future entry');
  keepDraft('report', { description: 'He writes again' });
  sessionStorage.setItem('unanswered', '[]');
});

describe('the end of a session', () => {
  it('by signing out keeps only data of the device', () => {
    clearSession('signedOut');
    expect({ ...localStorage }).toEqual(ofDevice);
    expect(sessionStorage).toHaveLength(0);
  });

  it('by expiry also keeps what was typed into forms, in this tab, until someone else signs in', () => {
    clearSession('expired');
    expect({ ...localStorage }).toEqual(ofDevice);
    expect(readDraft('report')).toEqual({ description: 'He writes again' });
    expect(sessionStorage.getItem('unanswered')).toBeNull();
    keepSession({ token: 'token-2', refreshToken: 'refresh-2', user: ownUser({ _id: 'someone-else' }) });
    expect(readDraft('report')).toBeNull();
  });

  it('in another tab deletes this tab’s drafts too, on any page', () => {
    for (const key of ['token', 'refreshToken', 'user']) localStorage.removeItem(key);
    window.dispatchEvent(new StorageEvent('storage', { key: 'token' }));
    expect(sessionStorage).toHaveLength(0);
  });

  it('is noticed by a page restored with Back', () => {
    const heard: (string | null)[] = [];
    const stop = onSessionChange(({ token }) => heard.push(token));
    for (const key of ['token', 'refreshToken', 'user']) localStorage.removeItem(key);
    rereadSession();
    stop();
    expect(heard).toEqual([null]);
    expect(sessionStorage).toHaveLength(0);
  });
});

describe('a continuing session', () => {
  it('keeps drafts when another tab renews it', () => {
    localStorage.setItem('token', 'token-2');
    window.dispatchEvent(new StorageEvent('storage', { key: 'token' }));
    expect(sessionStorage).toHaveLength(2);
  });
});
