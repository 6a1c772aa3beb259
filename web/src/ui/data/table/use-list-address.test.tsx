import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { createPath, parsePath, Router, useLocation, useNavigate, type To } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { dayFilter } from '#contract/filters.ts';
import { Surroundings } from '../../../../test/render-app.tsx';
import { AppRouterContext } from '../../layout/app-router.ts';
import { addressFilters, useAddressDialog, useListAddress, useTypedSearch } from './use-list-address.ts';

interface List {
  search: string;
  status: string;
}

const read = (params: URLSearchParams): List => ({
  search: params.get('search') ?? '',
  status: params.get('status') ?? '',
});

function change(params: URLSearchParams, changed: Partial<List>): URLSearchParams {
  const next = new URLSearchParams(params);
  for (const [key, value] of Object.entries(changed)) {
    if (value === '') next.delete(key);
    else next.set(key, value);
  }
  return next;
}

/** A list at `/list` whose page does not render again after a change, as if a long table were still rendering. */
function openSlowList(search: string) {
  const written: string[] = [];
  const steps: number[] = [];
  const pathOf = (to: To) => (typeof to === 'string' ? to : createPath(to));
  const navigator = {
    location: { pathname: '/list', search, hash: '', state: null as unknown, key: 'default' },
    createHref: pathOf,
    go: (step: number) => void steps.push(step),
    push: (to: To, state: unknown) => {
      written.push(pathOf(to));
      navigator.location = { ...navigator.location, search: '', ...parsePath(pathOf(to)), state };
    },
    replace: (to: To, state: unknown) => navigator.push(to, state),
  };
  const { result } = renderHook(
    () => {
      const address = useListAddress(read, change);
      useTypedSearch(address);
      return { ...address, dialog: useAddressDialog('user') };
    },
    {
      wrapper: ({ children }: { children: ReactNode }) => (
        <AppRouterContext value={{ state: navigator, subscribe: () => () => undefined }}>
          <Router location={`/list${search}`} navigator={navigator}>
            {children}
          </Router>
        </AppRouterContext>
      ),
    },
  );
  return { result, written, steps };
}

describe('the address of a list that is still being rendered', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('keeps cleared filters when the pause after typing ends', () => {
    const { result, written } = openSlowList('?search=nobody&status=online');
    act(() => result.current.apply({ search: '', status: '' }));
    act(() => void vi.advanceTimersByTime(1000));
    expect(written).toEqual(['/list']);
  });

  it('adds a second filter to the first one', () => {
    const { result, written } = openSlowList('');
    act(() => result.current.apply({ status: 'online' }));
    act(() => result.current.apply({ search: 'ada' }));
    expect(written).toEqual(['/list?status=online', '/list?status=online&search=ada']);
  });

  it('keeps a dialog opened before the pause after typing ends', () => {
    const { result, written } = openSlowList('');
    act(() => result.current.type({ search: 'ada' }));
    act(() => result.current.dialog.open('7'));
    act(() => void vi.advanceTimersByTime(1000));
    expect(written).toEqual(['/list?user=7']);
  });

  it('opens a dialog without losing the filter chosen before', () => {
    const { result, written } = openSlowList('');
    act(() => result.current.apply({ status: 'online' }));
    act(() => result.current.dialog.open('7'));
    expect(written).toEqual(['/list?status=online', '/list?status=online&user=7']);
  });

  it('goes back once if a dialog is closed twice before the browser has gone back', () => {
    const { result, steps } = openSlowList('');
    act(() => result.current.dialog.open('7'));
    act(() => result.current.dialog.close());
    act(() => result.current.dialog.close());
    expect(steps).toEqual([-1]);
  });

  it('closes a dialog that is opened again', () => {
    const { result, steps } = openSlowList('');
    for (const user of ['7', '8']) {
      act(() => result.current.dialog.open(user));
      act(() => result.current.dialog.close());
    }
    expect(steps).toEqual([-1, -1]);
  });
});

/** A list at `/list` that was opened from another page, with a dialog over it. */
function openListWithDialog() {
  const { result } = renderHook(
    () => {
      const address = useListAddress(read, change);
      const dialog = useAddressDialog('user');
      useTypedSearch(address);
      const { pathname, search } = useLocation();
      return { address, dialog, path: pathname + search, navigate: useNavigate() };
    },
    {
      wrapper: ({ children }: { children: ReactNode }) => (
        <Surroundings at={['/before', '/list']}>{children}</Surroundings>
      ),
    },
  );
  return result;
}

describe('a dialog opened before the pause after typing ends', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('keeps the typed text and searches for it once the dialog is closed', () => {
    const list = openListWithDialog();
    act(() => list.current.address.type({ search: 'ada' }));
    act(() => list.current.dialog.open('7'));
    act(() => void vi.advanceTimersByTime(1000));
    expect(list.current.path).toBe('/list?user=7');
    act(() => list.current.dialog.close());
    expect(list.current.path).toBe('/list');
    expect(list.current.address.draft.search).toBe('ada');
    act(() => void vi.advanceTimersByTime(1000));
    expect(list.current.path).toBe('/list?search=ada');
  });

  it('can be closed again after Forward', () => {
    const list = openListWithDialog();
    act(() => list.current.dialog.open('7'));
    for (const _ of ['once', 'again']) {
      act(() => list.current.dialog.close());
      expect(list.current.path).toBe('/list');
      act(() => void list.current.navigate(1));
      expect(list.current.path).toBe('/list?user=7');
    }
  });

  it('is not opened again by Back', () => {
    const list = openListWithDialog();
    act(() => list.current.address.type({ search: 'ada' }));
    act(() => list.current.dialog.open('7'));
    act(() => void vi.advanceTimersByTime(1000));
    act(() => list.current.dialog.close());
    act(() => void vi.advanceTimersByTime(1000));
    act(() => void list.current.navigate(-1));
    expect(list.current.path).toBe('/list');
  });
});

const filters = addressFilters({ search: 'text', status: ['all', 'open'], from: dayFilter });
const params = (search: string) => new URLSearchParams(search);

describe('addressFilters', () => {
  it('reads known values and treats unknown ones as no filter', () => {
    const shown = { search: 'ada', status: 'open', from: '2025-11-01' };
    expect(filters.read(params('search=ada&status=open&from=2025-11-01'))).toEqual(shown);
    expect(filters.read(params('status=gone&from=yesterday'))).toEqual(filters.none);
    expect(filters.unknown(params('search=ada&status=gone&from=yesterday'))).toEqual(['status', 'from']);
  });

  it('leaves out unset filters and keeps other parameters', () => {
    const changed = filters.change(params('status=open&user=7'), { search: ' ada ', status: 'all' });
    expect(changed.toString()).toBe('user=7&search=ada');
  });

  it('knows whether any filter is set', () => {
    expect(filters.isFiltered({ ...filters.none, search: '  ' })).toBe(false);
    expect(filters.isFiltered({ ...filters.none, status: 'open' })).toBe(true);
  });
});
