import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { type ComponentProps, type ReactNode, useEffect, useRef } from 'react';
import { QueryStates } from '../feedback/PageStates.tsx';

const rowsOf = (list: Element | null) => [...(list?.querySelectorAll('li, tbody > tr') ?? [])];

interface InfiniteListProps {
  query: { hasNextPage: boolean; isFetching: boolean; fetchNextPage: () => unknown };
  size?: 'xs' | 'sm';
  /** The button's margin in CSS. */
  margin?: string;
  /** The list or table with all rows loaded so far. */
  children: ReactNode;
}

/** A list with a button that loads the next page; the first row that is added takes the focus. */
export function InfiniteList({ query, size = 'sm', margin = '1rem 0 0', children }: InfiniteListProps) {
  const list = useRef<Element>(null);
  const shownBefore = useRef(0);

  useEffect(() => {
    const added = rowsOf(list.current)[shownBefore.current];
    if (added === undefined) return;
    list.current = null;
    added.querySelector<HTMLElement>('a, button')?.focus();
  });

  return (
    <>
      {children}
      {query.hasNextPage && (
        <Button
          variant="default"
          size={size}
          style={{ margin }}
          aria-disabled={query.isFetching || undefined}
          onClick={({ currentTarget }) => {
            if (query.isFetching) return;
            list.current = currentTarget.previousElementSibling;
            shownBefore.current = rowsOf(list.current).length;
            query.fetchNextPage();
          }}
        >
          {t`Show more`}
        </Button>
      )}
    </>
  );
}

/** The parts of a server error that a list needs. */
export interface Refusal extends Error {
  status: number | null;
  code: string;
}

/** Props that a page passes to its lists. */
export interface ListProps {
  /** Shown to members who have to complete a step first. */
  notYet: (error: Refusal) => ReactNode;
}

const isForbidden = (error: Error | null): error is Refusal =>
  error !== null && 'status' in error && 'code' in error && error.status === 403;

/** The state of a list: loading, error, data, or a step that has to be completed first. */
export function ListStates<T>({ notYet, ...states }: ListProps & ComponentProps<typeof QueryStates<T>>) {
  const { data, error } = states.query;
  return data === undefined && isForbidden(error) ? notYet(error) : <QueryStates {...states} />;
}
