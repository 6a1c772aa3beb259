import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Surroundings } from '../../../test/render-app.tsx';
import { EmptyState, QueryStates } from './PageStates.tsx';

interface Query {
  data: string | undefined;
  error: Error | null;
  isFetching: boolean;
  refetch: () => void;
}

const asked: Query = { data: undefined, error: null, isFetching: true, refetch: () => undefined };
const answered: Query = { ...asked, data: 'Forty users', isFetching: false };
const failed: Query = { ...asked, error: new Error('Out of order'), isFetching: false };

function view(query: Query) {
  return (
    <Surroundings>
      <QueryStates
        query={query}
        loadingText="Loading users data..."
        skeleton={<span>skeleton</span>}
        errorText={(error) => `Error loading users: ${error}`}
      >
        {(data) => <p>{data}</p>}
      </QueryStates>
    </Surroundings>
  );
}

describe('QueryStates', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

  it('shows that it is loading after 200 ms and for at least 300 ms', async () => {
    const { rerender } = render(view(asked));
    await wait(190);
    expect(screen.getByRole('status')).toBeEmptyDOMElement();
    await wait(20);
    expect(screen.getByRole('status')).toHaveTextContent('Loading users data...');
    rerender(view(answered));
    await wait(250);
    expect(screen.getByRole('status')).toBeInTheDocument();
    await wait(60);
    expect(screen.queryByRole('status')).toBeNull();
    expect(screen.getByText('Forty users')).toBeVisible();
  });

  it('shows no loading state if the answer is quick', async () => {
    const { rerender } = render(view(asked));
    await wait(100);
    rerender(view(answered));
    await wait(1000);
    expect(screen.getByText('Forty users')).toBeVisible();
    expect(screen.queryByRole('status')).toBeNull();
  });

  it('shows an error as an alert', async () => {
    render(view(failed));
    await wait(0);
    expect(screen.getByRole('alert')).toHaveTextContent('Error loading users: Out of order');
  });

  it('keeps shown data while it is reloaded and if that fails', async () => {
    const { rerender } = render(view(answered));
    rerender(view({ ...answered, isFetching: true }));
    await wait(1000);
    expect(screen.getByText('Forty users')).toBeVisible();
    rerender(view({ ...failed, data: 'Forty users' }));
    expect(screen.getByText('Forty users')).toBeVisible();
    expect(screen.queryByRole('alert')).toBeNull();
  });
});

describe('ErrorState with a Retry button', () => {
  it('sends the request again', async () => {
    let tries = 0;
    render(view({ ...failed, refetch: () => (tries += 1) }));
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(tries).toBe(1);
  });
});

describe('EmptyState', () => {
  it('offers to clear the filters if any are set', async () => {
    let isCleared = false;
    render(
      <Surroundings>
        <EmptyState text="No users found" hint="Invite some" onClearFilters={() => (isCleared = true)} />
      </Surroundings>,
    );
    expect(screen.queryByText('Invite some')).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Clear filters' }));
    expect(isCleared).toBe(true);
  });

  it('explains what to do if there is no data at all', () => {
    render(
      <Surroundings>
        <EmptyState text="No users found" hint="Invite some" />
      </Surroundings>,
    );
    expect(screen.getByText('No users found')).toBeVisible();
    expect(screen.getByText('Invite some')).toBeVisible();
  });
});

describe('ErrorState without a network', () => {
  afterEach(() => {
    window.dispatchEvent(new Event('online'));
  });

  it('waits instead of showing an error, and tries again automatically', () => {
    const refetch = vi.fn();
    act(() => void window.dispatchEvent(new Event('offline')));
    render(view({ ...failed, refetch }));
    expect(screen.getByRole('status')).toHaveTextContent("This loads once you're back online.");
    expect(screen.queryByRole('alert')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
    expect(refetch).not.toHaveBeenCalled();
    act(() => void window.dispatchEvent(new Event('online')));
    expect(refetch).toHaveBeenCalledOnce();
  });
});
