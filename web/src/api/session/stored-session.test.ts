import { beforeEach, describe, expect, it } from 'vitest';
import { ownUser } from '../../../test/fixtures/people.ts';
import { keepDraft, readDraft } from '../../ui/form/drafts.ts';
import { keep } from './kept.ts';
import { clearSession, keepSession, onSessionChange, rereadSession } from './stored-session.ts';

const ofDevice = { 'color-scheme': 'dark', 'single-keys': 'off', 'device:visits': '2', 'device:install-closed': '1' };
/** A message that the server refused, which waits until its writer changes or discards it. */
const refused = JSON.stringify({ clientId: 'message-1', text: 'Hi', writtenAt: '', state: 'failed', problem: null });

beforeEach(() => {
  for (const [key, value] of Object.entries(ofDevice)) localStorage.setItem(key, value);
  keepSession({ token: 'token-1', refreshToken: 'refresh-1', user: ownUser() });
  keep('draft:match-1', 'What I never sent');
  keep('outbox:match-1:message-1', refused);
  localStorage.setItem('subscription', '{}');
  localStorage.setItem('colour-schemes', 'a future entry');
  keepDraft('report', { description: 'He writes again' });
  sessionStorage.setItem('unanswered', '[]');
});

describe('the device after a session has ended', () => {
  it('keeps only device settings after signing out', () => {
    clearSession('signedOut');
    expect({ ...localStorage }).toEqual(ofDevice);
    expect(sessionStorage).toHaveLength(0);
  });

  const unsent = {
    [`kept:${ownUser()._id}:draft:match-1`]: 'What I never sent',
    [`kept:${ownUser()._id}:outbox:match-1:message-1`]: refused,
  };

  it('keeps unsent messages after the session expired, and deletes them when someone else signs in', () => {
    keep('push', 'on');
    clearSession('expired');
    expect({ ...localStorage }).toEqual({ ...ofDevice, ...unsent });
    keepSession({ token: 'token-2', refreshToken: 'refresh-2', user: ownUser() });
    expect({ ...localStorage }).toMatchObject(unsent);
    clearSession('expired');
    keepSession({ token: 'token-3', refreshToken: 'refresh-3', user: ownUser({ _id: 'someone-else' }) });
    expect(Object.keys(localStorage).filter((key) => key.startsWith('kept:'))).toEqual([]);
  });

  it('has no unsent messages after signing out from an expired session', () => {
    clearSession('expired');
    keepSession({ token: 'token-2', refreshToken: 'refresh-2', user: ownUser() });
    clearSession('signedOut');
    expect({ ...localStorage }).toEqual(ofDevice);
  });

  it('keeps text typed into forms of this tab after the session expired, until someone else signs in', () => {
    clearSession('expired');
    expect(readDraft('report')).toEqual({ description: 'He writes again' });
    expect(sessionStorage.getItem('unanswered')).toBeNull();
    keepSession({ token: 'token-2', refreshToken: 'refresh-2', user: ownUser({ _id: 'someone-else' }) });
    expect(readDraft('report')).toBeNull();
  });

  it('has no drafts in this tab after signing out in another tab', () => {
    for (const key of ['token', 'refreshToken', 'user']) localStorage.removeItem(key);
    window.dispatchEvent(new StorageEvent('storage', { key: 'token' }));
    expect(sessionStorage).toHaveLength(0);
  });

  it('has no drafts after Back has restored a page of the ended session', () => {
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
