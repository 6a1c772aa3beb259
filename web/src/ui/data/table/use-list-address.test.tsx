import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { createPath, Router, type To } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { useListAddress, useTypedSearch } from './use-list-address.ts';

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

/** A list at `/list` whose page is not rendered again after a change, as while a long table is being rendered. */
function openSlowList(search: string) {
  const written: string[] = [];
  const pathOf = (to: To) => (typeof to === 'string' ? to : createPath(to));
  const write = (to: To) => void written.push(pathOf(to));
  const navigator = { createHref: pathOf, go: () => undefined, push: write, replace: write };
  const { result } = renderHook(
    () => {
      const address = useListAddress(read, change);
      useTypedSearch(address);
      return address;
    },
    {
      wrapper: ({ children }: { children: ReactNode }) => (
        <Router location={`/list${search}`} navigator={navigator}>
          {children}
        </Router>
      ),
    },
  );
  return { result, written };
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

  it('adds a second filter to the first', () => {
    const { result, written } = openSlowList('');
    act(() => result.current.apply({ status: 'online' }));
    act(() => result.current.apply({ search: 'ada' }));
    expect(written).toEqual(['/list?status=online', '/list?status=online&search=ada']);
  });
});
