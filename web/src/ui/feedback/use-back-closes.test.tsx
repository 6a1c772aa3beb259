import { act, render } from '@testing-library/react';
import { useState } from 'react';
import { createMemoryRouter, Outlet, RouterProvider } from 'react-router';
import { expect, describe, it } from 'vitest';
import { AppRouterContext } from '../layout/app-router.ts';
import { useBackCloses } from './use-back-closes.ts';

let setOpen: (id: string | null) => void = () => undefined;
let close = () => undefined as void;

/** Stays rendered while the page below it changes, like a page that a slow device hasn't replaced yet. */
function Overlaid() {
  const [openId, set] = useState<string | null>(null);
  setOpen = set;
  close = useBackCloses(openId, () => set(null));
  return (
    <>
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
  return { view, go, at: () => [router.state.location.pathname, router.state.location.state as unknown] };
}

describe('useBackCloses', () => {
  it('closes on Back instead of leaving the page', async () => {
    const { view, go, at } = start();
    await act(async () => setOpen('a'));
    expect(at()).toEqual(['/', { isOverlay: true }]);
    await go(-1);
    expect(at()).toEqual(['/', null]);
    expect(view.queryByText('Open: a')).toBeNull();
  });

  it('leaves its entry when closed in another way, and adds one again for what opens next', async () => {
    const { go, at } = start();
    await act(async () => setOpen('a'));
    await act(async () => {
      setOpen(null);
      close();
    });
    expect(at()).toEqual(['/', null]);
    await act(async () => setOpen('b'));
    expect(at()).toEqual(['/', { isOverlay: true }]);
    await go(-1);
    expect(at()).toEqual(['/', null]);
  });

  it('leaves an empty entry on Back from another page, also while this one was never replaced', async () => {
    const { go, at } = start();
    await act(async () => setOpen('a'));
    await act(async () => setOpen(null));
    await go('/next');
    await go(-1);
    expect(at()).toEqual(['/', null]);
  });
});
