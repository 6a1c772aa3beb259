import type { ComponentProps, ReactNode } from 'react';
import { QueryStates } from '../feedback/PageStates.tsx';

/** A refusal by the server, as far as a list needs it. */
export interface Refusal extends Error {
  status: number | null;
  code: string;
}

/** What a list needs from its page. */
export interface ListProps {
  /** Shown to members who have to complete a step first. */
  notYet: (error: Refusal) => ReactNode;
}

const isForbidden = (error: Error | null): error is Refusal =>
  error !== null && 'status' in error && 'code' in error && error.status === 403;

/** Loading, error or data of one list, or what has to be done first. */
export function ListStates<T>({ notYet, ...states }: ListProps & ComponentProps<typeof QueryStates<T>>) {
  const { data, error } = states.query;
  return data === undefined && isForbidden(error) ? notYet(error) : <QueryStates {...states} />;
}
