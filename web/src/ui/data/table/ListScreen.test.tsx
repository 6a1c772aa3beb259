import { msg, t } from '@lingui/core/macro';
import { useInfiniteQuery } from '@tanstack/react-query';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, describe, it, vi } from 'vitest';
import { Surroundings } from '../../../../test/render-app.tsx';
import { ListScreen } from './ListScreen.tsx';
import type { TableColumn } from './rows.ts';

interface Line {
  id: string;
}
interface Answer {
  lines: Line[];
  next: string | null;
}

const columns: TableColumn<Line>[] = [{ id: 'id', header: () => t`Id`, cell: ({ id }) => id }];
const texts = {
  loading: msg`Loading lines...`,
  error: msg({ message: 'Error loading lines: {error}' }),
  empty: msg`No lines found`,
  emptyHint: msg`New lines appear here.`,
};

interface LinesProps {
  id: number;
  load: (cursor: string | null) => Promise<Answer>;
  onClear?: () => void;
}

function Lines({ id, load, onClear }: LinesProps) {
  const query = useInfiniteQuery({
    queryKey: ['lines', id],
    queryFn: ({ pageParam }) => load(pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    retry: false,
  });
  const rows = query.data?.pages.flatMap(({ lines }) => lines) ?? [];
  return (
    <ListScreen
      query={query}
      label="Lines"
      rows={rows}
      columns={columns}
      texts={texts}
      onClear={onClear}
      caption={{ text: `${rows.length} lines`, onClear }}
    />
  );
}

let opened = 0;
const open = (props: Omit<LinesProps, 'id'>) =>
  render(<Lines id={(opened += 1)} {...props} />, { wrapper: Surroundings });
const page = (ids: string[], next: string | null = null): Answer => ({ lines: ids.map((id) => ({ id })), next });

describe('ListScreen', () => {
  it('shows the rows below their caption, and loads more on request', async () => {
    open({ load: (cursor) => Promise.resolve(cursor === null ? page(['a'], '2') : page(['b'])) });
    const table = await screen.findByRole('table', { name: 'Lines' });
    expect(within(table).getByText('a')).toBeVisible();
    expect(screen.getByText('1 lines')).toHaveAttribute('role', 'status');
    await userEvent.click(screen.getByRole('button', { name: 'Show more' }));
    expect(await screen.findByText('b')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
  });

  it('offers to clear the filters if no rows match', async () => {
    const onClear = vi.fn();
    open({ load: () => Promise.resolve(page([])), onClear });
    expect(await screen.findByText('No lines found')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Clear filters' }));
    expect(onClear).toHaveBeenCalledOnce();
  });

  it('explains what will appear here if the list is empty', async () => {
    open({ load: () => Promise.resolve(page([])) });
    expect(await screen.findByText('New lines appear here.')).toBeVisible();
  });

  it('shows why the list could not be loaded, and tries again on request', async () => {
    const load = vi.fn<LinesProps['load']>().mockRejectedValueOnce(new Error('No connection'));
    load.mockResolvedValue(page(['a']));
    open({ load });
    expect(await screen.findByRole('alert')).toHaveTextContent('Error loading lines: No connection');
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('a')).toBeVisible();
  });
});
