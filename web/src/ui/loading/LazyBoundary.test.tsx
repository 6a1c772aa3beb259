import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { lazy, useState } from 'react';
import { createMemoryRouter, Outlet, RouterProvider } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Surroundings } from '../../../test/render-app.tsx';
import { UnfetchedError } from '../../AppRoot.tsx';
import { AppProviders } from '../../AppProviders.tsx';
import { tabStorage } from '../../browser-storage.ts';
import { withErrors } from '../../routes.tsx';
import { LazyBoundary } from './LazyBoundary.tsx';
import { preload } from './preload.ts';

const dispatch = (type: 'offline' | 'online') => act(() => void window.dispatchEvent(new Event(type)));
const reload = vi.fn();

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  vi.stubGlobal('location', { ...window.location, reload });
});

afterEach(() => {
  dispatch('online');
  reload.mockClear();
  tabStorage.remove('reloads-left');
  vi.unstubAllGlobals();
});

function openMissingPage() {
  const missing = { path: '/', lazy: () => Promise.reject(new UnfetchedError('Failed to fetch')) };
  const router = createMemoryRouter([{ Component: Outlet, children: withErrors([missing]) }]);
  render(
    <AppProviders options={{ env: 'test' }}>
      <RouterProvider router={router} />
    </AppProviders>,
  );
}

describe('a page whose code cannot be fetched', () => {
  it('suggests that there is a newer version and offers to reload', async () => {
    openMissingPage();
    expect(await screen.findByRole('heading', { level: 1, name: "This page didn't load" })).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Reload' }));
    expect(reload).toHaveBeenCalledOnce();
  });

  it('waits while offline and loads when the network is back', async () => {
    dispatch('offline');
    openMissingPage();
    expect(await screen.findByRole('heading', { level: 1, name: "You're offline" })).toBeVisible();
    expect(screen.queryByRole('button')).toBeNull();
    expect(reload).not.toHaveBeenCalled();
    dispatch('online');
    await waitFor(() => expect(reload).toHaveBeenCalledOnce());
  });

  it('reloads again, a few times at most, if the network was not quite back', async () => {
    tabStorage.write('reloads-left', '2');
    for (const left of ['1', '0']) {
      openMissingPage();
      await waitFor(() => expect(reload).toHaveBeenCalledOnce(), { timeout: 60_000 });
      expect(tabStorage.read('reloads-left')).toBe(left);
      reload.mockClear();
      cleanup();
    }
    openMissingPage();
    expect(await screen.findByRole('button', { name: 'Reload' })).toBeVisible();
  });
});

describe('a page that cannot be rendered', () => {
  it('offers to reload inside the page frame, with only one main landmark', async () => {
    const Broken = () => {
      throw new Error('Broken');
    };
    const frame = (
      <main>
        <Outlet />
      </main>
    );
    const router = createMemoryRouter([{ element: frame, children: withErrors([{ path: '/', Component: Broken }]) }]);
    render(
      <AppProviders options={{ env: 'test' }}>
        <RouterProvider router={router} />
      </AppProviders>,
    );
    expect(await screen.findByRole('heading', { name: 'This page could not be shown' })).toBeVisible();
    expect(screen.getAllByRole('main')).toHaveLength(1);
  });
});

describe('preload', () => {
  it('does not fetch code while offline', () => {
    const load = vi.fn(() => Promise.reject(new TypeError('Failed to fetch')));
    dispatch('offline');
    preload(load);
    expect(load).not.toHaveBeenCalled();
    dispatch('online');
    preload(load);
    expect(load).toHaveBeenCalledOnce();
  });
});

describe('a part of a page whose code cannot be fetched', () => {
  const Missing = lazy(() => Promise.reject<{ default: () => null }>(new TypeError('Failed to fetch')));

  function PageWithDialog() {
    const [isOpen, setOpen] = useState(false);
    return (
      <>
        <button type="button" onClick={() => setOpen(true)}>
          Open
        </button>
        <LazyBoundary onClose={() => setOpen(false)}>{isOpen && <Missing />}</LazyBoundary>
      </>
    );
  }

  it('shows an error in its place each time it is opened, and keeps the rest of the page', async () => {
    render(<PageWithDialog />, { wrapper: Surroundings });
    for (let time = 0; time < 2; time += 1) {
      await userEvent.click(screen.getByRole('button', { name: 'Open' }));
      expect(await screen.findByRole('alert')).toHaveTextContent(/^Part of this page didn't load\./);
      await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
      expect(screen.queryByRole('alert')).toBeNull();
    }
  });

  it('shows that the app is offline', async () => {
    render(<PageWithDialog />, { wrapper: Surroundings });
    await userEvent.click(screen.getByRole('button', { name: 'Open' }));
    await screen.findByRole('alert');
    dispatch('offline');
    await waitFor(() =>
      expect(screen.getByRole('alert')).toHaveTextContent(/^You're offline, and this hasn't been opened/),
    );
  });
});
