import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Suspense } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Surroundings } from '../../../test/render-app.tsx';
import { lazyPage, lazyPart } from './lazy-page.tsx';

const tell = (type: 'offline' | 'online') => act(() => void window.dispatchEvent(new Event(type)));
const reload = vi.fn();

afterEach(() => {
  tell('online');
  reload.mockClear();
  vi.unstubAllGlobals();
});

function show(part: React.ReactNode) {
  vi.stubGlobal('location', { ...window.location, reload });
  return render(
    <Surroundings>
      <Suspense>{part}</Suspense>
    </Surroundings>,
  );
}

function failing() {
  const load = vi.fn(async (): Promise<{ X: () => React.ReactNode }> =>
    Promise.reject(new TypeError('Failed to fetch')),
  );
  return { load, page: lazyPage(load) };
}

describe('a page whose code cannot be fetched', () => {
  it('suggests that there is a newer version, and offers to reload', async () => {
    const { page } = failing();
    show(<page.Page />);
    expect(await screen.findByRole('heading', { level: 1, name: "This page didn't load" })).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Reload' }));
    expect(reload).toHaveBeenCalledOnce();
  });

  it('waits offline, and loads with the network', async () => {
    const { page } = failing();
    tell('offline');
    show(<page.Page />);
    expect(await screen.findByRole('heading', { level: 1, name: "You're offline" })).toBeVisible();
    expect(screen.queryByRole('button')).toBeNull();
    expect(reload).not.toHaveBeenCalled();
    tell('online');
    expect(reload).toHaveBeenCalledOnce();
  });

  it('is fetched again when it is opened again', async () => {
    const { load, page } = failing();
    const { unmount } = show(<page.Page />);
    await screen.findByRole('heading', { level: 1 });
    expect(load).toHaveBeenCalledOnce();
    unmount();
    load.mockResolvedValue({ X: () => <h1>Here at last</h1> });
    show(<page.Page />);
    expect(await screen.findByRole('heading', { name: 'Here at last' })).toBeVisible();
  });

  it('is not preloaded offline', () => {
    const { load, page } = failing();
    tell('offline');
    page.preload();
    expect(load).not.toHaveBeenCalled();
    tell('online');
    page.preload();
    expect(load).toHaveBeenCalledOnce();
  });
});

describe('a part of a page whose code cannot be fetched', () => {
  it('keeps the rest of the page, shows an error, and can be closed', async () => {
    const part = lazyPart<{ onClose?: () => void }>(() => Promise.reject(new TypeError('Failed to fetch')));
    const onClose = vi.fn();
    show(
      <>
        <p>The rest</p>
        <part.Part onClose={onClose} />
      </>,
    );
    expect(await screen.findByRole('alert')).toHaveTextContent(/^Part of this page didn't load\./);
    expect(screen.getByText('The rest')).toBeVisible();
    tell('offline');
    expect(screen.getByRole('alert')).toHaveTextContent(/^You're offline, and this hasn't been opened/);
    await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(onClose).toHaveBeenCalledOnce();
    expect(screen.queryByRole('alert')).toBeNull();
  });
});
