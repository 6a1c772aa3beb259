import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { type NotificationKind, unsubscribe } from '#contract/notifications.ts';
import { failWith, received, Refusal, serve } from '../../../test/fake-server.ts';
import { currentAddress, renderApp } from '../../../test/render-app.tsx';

const end = () => screen.findByRole('button', { name: 'Stop emails like this' });
const serveEnd = (...kinds: NotificationKind[]) => serve(unsubscribe, () => ({ data: { kinds } }));

describe('unsubscribing', () => {
  it('takes one press without signing in, and shows which emails ended', async () => {
    serveEnd('message', 'match');
    const { person } = renderApp('/app/unsubscribe#01.someone.sign');
    expect(await screen.findByRole('heading', { level: 1, name: 'Fewer emails' })).toBeVisible();
    expect(screen.getByText(/^This stops emails like the one that led you here\./)).toBeVisible();
    expect(received(unsubscribe)).toEqual([]);
    await person.click(await end());
    expect(await screen.findByText('Done. We no longer email you about:')).toBeVisible();
    expect(screen.getAllByRole('listitem').map((row) => row.textContent)).toEqual(
      expect.arrayContaining(['New messages', 'New matches']),
    );
    expect(received(unsubscribe).map(({ query, token }) => [query, token])).toEqual([
      [{ token: '01.someone.sign' }, null],
    ]);
    await person.click(screen.getByRole('link', { name: 'Choose in settings' }));
    await waitFor(() => expect(currentAddress()).toBe('/app/sign-in'));
  });

  it.each([
    ['is missing', '/app/unsubscribe'],
    ['is not ours', '/app/unsubscribe#0.someone.else'],
  ])('shows an error when the link %s', async (_, path) => {
    failWith(unsubscribe, new Refusal('NOT_FOUND', 'Not found'));
    const { person } = renderApp(path);
    if (path.includes('#')) await person.click(await end());
    expect(await screen.findByRole('alert')).toHaveTextContent(
      /^This page needs the whole link from one of our emails/,
    );
    expect(screen.queryByRole('button', { name: 'Stop emails like this' })).toBeNull();
    expect(screen.getByRole('link', { name: 'Choose in settings' })).toBeVisible();
  });
});
