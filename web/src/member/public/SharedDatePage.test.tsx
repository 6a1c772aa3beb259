import { act, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { openSharedDate } from '#contract/dates.ts';
import { failWith, received, Refusal, serve } from '../../../test/fake-server.ts';
import { renderApp } from '../../../test/render-app.tsx';
import { queryClient } from '../../api/query-client.ts';

const date = {
  place: 'Café Luz',
  at: '2025-10-20T18:00:00.000Z',
  zone: 'Europe/Lisbon',
  by: 'Ada',
  name: 'Bo',
  picture: 'data:image/webp;base64,UklGR',
};

describe('a shared date', () => {
  it('shows who is meeting, where and when, and is not indexed', async () => {
    serve(openSharedDate, () => ({ data: { date } }));
    renderApp('/app/date#a.b');
    expect(await screen.findByRole('heading', { name: 'Ada is meeting Bo' })).toBeVisible();
    expect(screen.getByText('Café Luz')).toBeVisible();
    expect(screen.getByText(/Mon.*Oct.*7:00/)).toBeVisible();
    expect(screen.getByRole('img', { name: 'Picture of Bo' })).toHaveAttribute('src', date.picture);
    expect(document.querySelector('meta[name="robots"]')).toHaveAttribute('content', 'noindex, nofollow');
    expect(received(openSharedDate).map(({ body }) => body)).toEqual([{ token: 'a.b' }]);
  });

  it('is not requested again once its link has ended', async () => {
    failWith(openSharedDate, new Refusal('NOT_FOUND', 'Not found'));
    renderApp('/app/date#a.b');
    await screen.findByRole('heading', { name: 'This link has ended' });
    await act(() => queryClient.invalidateQueries());
    expect(received(openSharedDate)).toHaveLength(1);
  });

  it.each(['/app/date', '/app/date#a.b'])('shows at %s that the link has ended, but not why', async (address) => {
    failWith(openSharedDate, new Refusal('NOT_FOUND', 'Not found'));
    renderApp(address);
    expect(await screen.findByRole('heading', { name: 'This link has ended' })).toBeVisible();
  });
});
