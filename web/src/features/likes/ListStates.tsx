import type { ComponentProps, ReactNode } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { QueryStates } from '../../ui/PageStates.tsx';

/** What a list needs of the page it stands on. */
export interface ListProps {
  /** What stands there for members who have something to do first. */
  notYet: (error: ApiError) => ReactNode;
}

/** Loading, error or data of one list, or what has to be done before there is one. */
export function ListStates<T>({ notYet, ...states }: ListProps & ComponentProps<typeof QueryStates<T>>) {
  const { data, error } = states.query;
  const isRefused = data === undefined && error instanceof ApiError && error.status === 403;
  return isRefused ? notYet(error) : <QueryStates {...states} />;
}
