import { act, render } from '@testing-library/react';
import { useState } from 'react';
import { createMemoryRouter, Outlet, RouterProvider } from 'react-router';
import { expect, describe, it } from 'vitest';
import { AppRouterContext } from '../layout/app-router.ts';
import { useBackCloses } from './use-back-closes.ts';

/** Stays rendered while the page below it changes, like a page that a slow device hasn't replaced yet. */
function Overlaid() {
  const [openId, setOpen] = useState<string | null>(null);
  const close = useBackCloses(openId, () => setOpen(null));
  return (
    <>
      <button onClick={() => setOpen('a')}>Open a</button>
      <button onClick={() => setOpen('b')}>Open b</button>
      <button onClick={() => setOpen(null)}>Dismiss</button>
      <button
        onClick={() => {
          setOpen(null);
          close();
        }}
      >
        Close
      </button>
      {openId !== null && <p>Open: {openId}</p>}
      <Outlet />
    </>
  );
}

function start() {
  const router = createMemoryRouter([
    {
      path: '/',
      element: <Overlaid />,
      children: [
        { index: true, element: null },
        { path: 'next', element: null },
      ],
    },
  ]);
  const view = render(
    <AppRouterContext value={router}>
      <RouterProvider router={router} />
    </AppRouterContext>,
  );
  const go = (to: string | -1) => act(async () => await (to === -1 ? router.navigate(-1) : router.navigate(to)));
  const press = (name: string) => act(async () => view.getByRole('button', { name }).click());
  return { view, go, press, at: () => [router.state.location.pathname, router.state.location.state as unknown] };
}

describe('useBackCloses', () => {
  it('closes on Back instead of leaving the page', async () => {
    const { view, go, press, at } = start();
    await press('Open a');
    expect(at()).toEqual(['/', { isOverlay: true }]);
    await go(-1);
    expect(at()).toEqual(['/', null]);
    expect(view.queryByText('Open: a')).toBeNull();
  });

  it('leaves its history entry when closed in another way, and adds a new one for the next dialog', async () => {
    const { go, press, at } = start();
    await press('Open a');
    await press('Close');
    expect(at()).toEqual(['/', null]);
    await press('Open b');
    expect(at()).toEqual(['/', { isOverlay: true }]);
    await go(-1);
    expect(at()).toEqual(['/', null]);
  });

  it('leaves an empty history entry on Back from another page, even if this page was never replaced', async () => {
    const { go, press, at } = start();
    await press('Open a');
    await press('Dismiss');
    await go('/next');
    await go(-1);
    expect(at()).toEqual(['/', null]);
  });
});
