import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Surroundings } from '../../../test/render-app.tsx';
import { closeOffer, installMenu, mayOffer, noteVisit, useInstallPrompt } from './installing.ts';
import { InstallNotice, InstallPanel } from './InstallOffer.tsx';

const prompt = vi.fn<() => Promise<{ outcome: 'accepted' | 'dismissed' }>>();

/** Dispatches the event that Chromium sends when it can install the app. */
function beInstallable(): Event {
  const event = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt });
  act(() => void window.dispatchEvent(event));
  return event;
}

beforeEach(() => {
  localStorage.setItem('device:visits', '2');
  prompt.mockReset().mockResolvedValue({ outcome: 'accepted' });
});
afterEach(() => {
  act(() => useInstallPrompt.setState({ prompt: null }));
  vi.unstubAllGlobals();
});

const notice = () => screen.queryByRole('complementary', { name: 'Install Heartwood' });
const install = () => screen.getByRole('button', { name: 'Install Heartwood' });

describe('the notice that offers to install the app', () => {
  const show = () => render(<InstallNotice />, { wrapper: Surroundings });

  it("shows the browser's prompt only after its button is pressed", async () => {
    expect(beInstallable().defaultPrevented).toBe(true);
    show();
    expect(prompt).not.toHaveBeenCalled();
    await userEvent.click(install());
    expect(prompt).toHaveBeenCalledOnce();
    expect(useInstallPrompt.getState().prompt).toBeNull();
    expect(mayOffer()).toBe(true);
  });

  it("disappears when it or the browser's prompt is dismissed", async () => {
    beInstallable();
    const { unmount } = show();
    await userEvent.click(screen.getByRole('button', { name: 'Not now' }));
    expect(notice()).toBeNull();
    expect(mayOffer()).toBe(false);
    unmount();

    localStorage.removeItem('device:install-closed');
    prompt.mockResolvedValue({ outcome: 'dismissed' });
    show();
    await userEvent.click(install());
    await waitFor(() => expect(mayOffer()).toBe(false));
  });

  it('is not shown on a first visit or soon after it was dismissed', () => {
    localStorage.setItem('device:visits', '1');
    show().unmount();
    expect(notice()).toBeNull();
    localStorage.setItem('device:visits', '2');
    localStorage.setItem('device:install-closed', String(Date.now()));
    show();
    expect(notice()).toBeNull();
  });
});

describe('the install section of the settings', () => {
  const show = () => render(<InstallPanel />, { wrapper: Surroundings });
  const panel = () => screen.queryByRole('region', { name: 'Heartwood as an app' });

  it('is hidden if installing is impossible', () => {
    show();
    expect(panel()).toBeNull();
  });

  it('can install the app even after the notice was dismissed', async () => {
    localStorage.setItem('device:install-closed', String(Date.now()));
    show();
    beInstallable();
    await userEvent.click(install());
    expect(prompt).toHaveBeenCalledOnce();
    expect(panel()).toBeNull();
  });

  it('explains the manual steps in Safari', () => {
    vi.stubGlobal('navigator', {
      userAgent:
        'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
      maxTouchPoints: 5,
    });
    show();
    expect(screen.getAllByRole('listitem')).toHaveLength(3);
    expect(screen.getByText('Choose “Add to Home Screen”.')).toBeVisible();
  });
});

/** Starts a visit in a new tab. */
function visit() {
  sessionStorage.clear();
  noteVisit();
  noteVisit();
}

describe('mayOffer', () => {
  it('returns true from the second visit on, not counting reloads', () => {
    localStorage.clear();
    visit();
    expect(mayOffer()).toBe(false);
    visit();
    expect(mayOffer()).toBe(true);
    visit();
    expect(localStorage.getItem('device:visits')).toBe('2');
  });

  it('returns false for thirty days after the offer was closed', () => {
    visit();
    visit();
    const now = Date.parse('2026-11-21T12:00:00Z');
    const later = (days: number) => now + days * 86_400_000;
    closeOffer(now);
    expect([mayOffer(now), mayOffer(later(29.9)), mayOffer(later(30))]).toEqual([false, false, true]);
  });
});

describe('installMenu', () => {
  const safari = 'AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1';
  const phone = `Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) ${safari}`;
  const mac =
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15';

  it.each([
    ['Safari on an iPhone', { userAgent: phone, maxTouchPoints: 5 }, 'share'],
    ['Safari on an iPad, which claims to be a Mac', { userAgent: mac, maxTouchPoints: 5 }, 'share'],
    ['the installed app', { userAgent: phone, maxTouchPoints: 5, standalone: true }, null],
    ['Safari on a Mac', { userAgent: mac, maxTouchPoints: 0 }, null],
    ['Chrome on an iPhone', { userAgent: phone.replace('Version/18.1', 'CriOS/130.0'), maxTouchPoints: 5 }, null],
    [
      'Chrome on Android',
      {
        userAgent:
          'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Mobile Safari/537.36',
        maxTouchPoints: 5,
      },
      null,
    ],
    [
      'Firefox on Android',
      { userAgent: 'Mozilla/5.0 (Android 14; Mobile; rv:143.0) Gecko/143.0 Firefox/143.0', maxTouchPoints: 5 },
      'browser',
    ],
  ])('returns the right menu for %s', (_, device, menu) => {
    expect(installMenu(device)).toBe(menu);
  });
});
