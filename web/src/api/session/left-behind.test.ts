import { waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ownUser } from '../../../test/fixtures/people.ts';
import { dropLeftBehind, endPush, watchSessionEnd } from './left-behind.ts';
import { clearSession, keepSession } from './stored-session.ts';

let names: string[];
const unsubscribe = vi.fn(async () => true);
const close = vi.fn();
const getSubscription = vi.fn(async (): Promise<object | null> => null);
const registration = { pushManager: { getSubscription }, getNotifications: async () => [{ close }, { close }] };
const getRegistration = vi.fn(async (): Promise<object | undefined> => registration);

beforeEach(() => {
  names = ['shell-1', 'visited-1', 'visited-2'];
  vi.stubGlobal('caches', {
    keys: async () => [...names],
    delete: async (name: string) => {
      names = names.filter((other) => other !== name);
    },
  });
  vi.stubGlobal('navigator', { ...navigator, onLine: true, serviceWorker: { getRegistration } });
  getRegistration.mockResolvedValue(registration);
  getSubscription.mockResolvedValue({ unsubscribe });
  unsubscribe.mockClear().mockResolvedValue(true);
  close.mockClear();
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const isDropped = () => waitFor(() => expect(names).toEqual(['shell-1']));

describe('the data that a session leaves in the browser', () => {
  it('is deleted, including cached pages, shown notifications and the push subscription', async () => {
    await dropLeftBehind();
    expect(names).toEqual(['shell-1']);
    expect(close).toHaveBeenCalledTimes(2);
    expect(unsubscribe).toHaveBeenCalledOnce();
  });

  it('is deleted when the session ends', async () => {
    keepSession({ token: 'token-1', refreshToken: 'refresh-1', user: ownUser() });
    const stop = watchSessionEnd();
    expect(names).toHaveLength(3);
    keepSession({ token: 'token-2' });
    expect(unsubscribe).not.toHaveBeenCalled();
    clearSession('expired');
    await isDropped();
    stop();
  });

  it('is deleted when the app starts without a session', async () => {
    const stop = watchSessionEnd();
    await isDropped();
    stop();
  });

  it('is deleted as far as possible if there are errors', async () => {
    unsubscribe.mockRejectedValue(new Error('no vendor'));
    getRegistration.mockRejectedValueOnce(new Error('no access'));
    await dropLeftBehind();
    expect(names).toEqual(['shell-1']);
  });
});

describe('endPush', () => {
  it('does not fail without a service worker, without a subscription, or on a browser error', async () => {
    unsubscribe.mockRejectedValue(new Error('no'));
    await expect(endPush()).resolves.toBeUndefined();
    getSubscription.mockResolvedValue(null);
    await expect(endPush()).resolves.toBeUndefined();
    getRegistration.mockResolvedValue(undefined);
    await expect(endPush()).resolves.toBeUndefined();
    vi.stubGlobal('navigator', { onLine: true });
    await expect(endPush()).resolves.toBeUndefined();
  });
});
