import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AnswerOf } from '#contract/endpoint.ts';
import { getBanner } from '#contract/service/banner.ts';
import { received, serve } from '../../../test/fake-server.ts';
import { administrator, ownUser } from '../../../test/fixtures/people.ts';
import { renderApp } from '../../../test/render-app.tsx';
import { connectSocket, receiveOverSocket } from '../../../test/test-socket.ts';
import { speak } from '../../ui/text/catalogues.ts';

type Shown = NonNullable<AnswerOf<typeof getBanner>['data']['banner']>;

const hourMs = 3_600_000;
const banner = (changes: Partial<Shown> = {}): Shown => ({
  id: 'one',
  kind: 'news',
  text: { en: 'We have moved.', de: 'Wir sind umgezogen.' },
  startsInMs: 0,
  endsInMs: 100 * 24 * hourMs,
  ...changes,
});

let present: Shown | null;
beforeEach(() => {
  present = banner();
});
afterEach(() => vi.useRealTimers());

/** A page that has just received the current banner. */
async function open(path = '/faqs', user = ownUser()) {
  const app = renderApp(path, user);
  serve(getBanner, () => ({ data: { banner: present } }));
  await connectSocket();
  await receiveOverSocket({ kind: 'service' });
  return app;
}

describe('the owner’s banner', () => {
  it.each([
    ['members', '/faqs', ownUser()],
    ['staff', '/service', administrator()],
  ])('is announced to %s politely as text', async (_, path, user) => {
    present = banner({ kind: 'maintenance', text: { en: '<b>Tonight</b>' } });
    await open(path, user);
    const text = await screen.findByText('<b>Tonight</b>');
    expect(text.closest('[aria-live="polite"]')).toHaveTextContent('Maintenance');
    expect(text.closest('[role="alert"]')).toBe(null);
  });

  it('is not requested by visitors', async () => {
    renderApp('/faqs');
    await screen.findByRole('heading', { level: 1 });
    expect(received(getBanner)).toEqual([]);
  });

  it('stays closed on this device until a different one appears, which needs no reload', async () => {
    const { person, unmount } = await open();
    await screen.findByText('We have moved.');
    await person.click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(screen.queryByText('We have moved.')).toBe(null);
    unmount();
    const asked = received(getBanner).length;
    await open();
    await waitFor(() => expect(received(getBanner).length).toBeGreaterThan(asked));
    expect(screen.queryByText('We have moved.')).toBe(null);
    present = banner({ id: 'two', text: { en: 'We have moved again.' } });
    await receiveOverSocket({ kind: 'service' });
    expect(await screen.findByText('We have moved again.')).toBeVisible();
    present = null;
    await receiveOverSocket({ kind: 'service' });
    await waitFor(() => expect(screen.queryByText('We have moved again.')).toBe(null));
  });

  it('appears at its start and disappears at its end', async () => {
    present = banner({ startsInMs: hourMs, endsInMs: 2 * hourMs });
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    await open();
    await waitFor(() => expect(received(getBanner).length).toBeGreaterThan(1));
    await act(() => vi.advanceTimersByTimeAsync(hourMs - 60_000));
    expect(screen.queryByText('We have moved.')).toBe(null);
    await act(() => vi.advanceTimersByTimeAsync(120_000));
    expect(screen.getByText('We have moved.')).toBeVisible();
    await act(() => vi.advanceTimersByTimeAsync(hourMs));
    expect(screen.queryByText('We have moved.')).toBe(null);
  });

  it('never moves the page while it is open, even if it ends after it was shown on the next page', async () => {
    const { person } = await open('/privacy');
    const place = (await screen.findByText('We have moved.')).closest('[aria-live]');
    expect(place).toHaveAttribute('data-floats');
    await person.click(screen.getAllByRole('link', { name: 'FAQs' })[0] ?? document.body);
    await waitFor(() => expect(place).not.toHaveAttribute('data-floats'));
    expect(screen.getByText('We have moved.')).toBeVisible();
    present = null;
    await receiveOverSocket({ kind: 'service' });
    await waitFor(() => expect(screen.getByText('We have moved.')).not.toBeVisible());
    await person.click(screen.getAllByRole('link', { name: 'Home' })[0] ?? document.body);
    await waitFor(() => expect(screen.queryByText('We have moved.')).toBe(null));
  });

  it('is in the reader’s language, or else in English and marked as such', async () => {
    await act(() => speak('de'));
    const { unmount } = await open();
    expect(await screen.findByText('Wir sind umgezogen.')).toHaveAttribute('lang', 'de');
    unmount();
    present = banner({ id: 'two', text: { en: 'We have moved.', fr: 'Nous avons déménagé.' } });
    await open();
    expect(await screen.findByText('We have moved.')).toHaveAttribute('lang', 'en');
    await act(() => speak('en'));
  });
});
