import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Surroundings } from '../../../test/render-app.tsx';
import { LastUpdated, type Refreshable } from './LastUpdated.tsx';

const minuteMs = 60_000;
const failure = new Error('Out of order');
const fresh: Refreshable = {
  dataUpdatedAt: 0,
  error: null,
  isFetching: false,
  refetch: async () => ({ isError: false }),
};

function view(query: Refreshable, onFresh?: () => void) {
  return (
    <Surroundings>
      <LastUpdated query={query} {...(onFresh ? { onFresh } : {})} />
    </Surroundings>
  );
}

const refresh = () => userEvent.click(screen.getByRole('button', { name: 'Refresh' }));

describe('LastUpdated', () => {
  beforeEach(() => {
    fresh.dataUpdatedAt = Date.now();
  });

  it('shows the age in minutes once the data is a minute old', () => {
    const { rerender } = render(view(fresh));
    expect(screen.queryByText(/Updated/)).toBeNull();
    rerender(view({ ...fresh, dataUpdatedAt: Date.now() - 3.5 * minuteMs }));
    expect(screen.getByText('Updated 3 minutes ago')).toBeVisible();
    expect(screen.getByRole('status')).toBeEmptyDOMElement();
  });

  it('shows next to the age that a background update failed', () => {
    render(view({ ...fresh, dataUpdatedAt: Date.now() - 3.5 * minuteMs, error: failure }));
    expect(screen.getByRole('status')).toHaveTextContent('Could not be updated');
    expect(screen.getByText('Updated 3 minutes ago')).toBeVisible();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('ignores that the next page could not be loaded', () => {
    render(view({ ...fresh, error: failure, isFetchNextPageError: true }));
    expect(screen.queryByText(/Could not/)).toBeNull();
  });

  it('shows an alert with the reason after a failed manual refresh, until one succeeds', async () => {
    let known = fresh;
    const fail = async () => {
      known = { ...known, error: failure };
      rerender(view(known));
      return { isError: true };
    };
    known = { ...known, refetch: fail };
    const { rerender } = render(view(known));
    await refresh();
    expect(await screen.findByRole('alert')).toHaveTextContent('Could not be updated: Out of order');
    act(() => rerender(view({ ...known, error: null, dataUpdatedAt: Date.now() + 1 })));
    expect(screen.queryByRole('alert')).toBeNull();
    act(() => rerender(view({ ...known, error: failure, dataUpdatedAt: Date.now() + 1 })));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('calls onFresh after a successful manual refresh', async () => {
    const onFresh = vi.fn();
    const { rerender } = render(view({ ...fresh, refetch: async () => ({ isError: true }) }, onFresh));
    await refresh();
    expect(onFresh).not.toHaveBeenCalled();
    rerender(view({ ...fresh, refetch: async () => ({ isError: false }) }, onFresh));
    await refresh();
    expect(onFresh).toHaveBeenCalledOnce();
  });
});
