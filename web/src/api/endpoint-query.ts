import {
  type DataTag,
  infiniteQueryOptions,
  type QueryKey,
  useMutation,
  type UseMutationOptions,
  useQuery,
  type UseQueryOptions,
} from '@tanstack/react-query';
import type { AnswerOf, EndpointSpec } from '#contract/endpoint.ts';
import { call } from './call.ts';
import { queryClient } from './query-client.ts';
import type { CallOptions, LooseOptions } from './request.ts';

/** The `data` of an endpoint's answer. Queries of the few answers that name other keys are written by hand. */
export type DataOf<E extends EndpointSpec> = AnswerOf<E> extends { data: infer D } ? D : undefined;

/** How a query is kept; `select` picks the part of the data that is shown. */
type Settings<E extends EndpointSpec, T> = Omit<UseQueryOptions<DataOf<E>, Error, T>, 'queryKey' | 'queryFn'>;

/** The input of an endpoint, which may be left out if nothing has to be given, and settings. */
type Asked<E extends EndpointSpec, S> =
  Record<never, never> extends CallOptions<E> ? [input?: CallOptions<E>, settings?: S] : [CallOptions<E>, settings?: S];

/**
 * The key of an endpoint's answers, for code that doesn't load the endpoint: `keyAt<typeof getCase>('/admin/cases/{id}',
 * { id })`. Without input it covers the answers to any input.
 */
export const keyAt = <E extends EndpointSpec>(path: E['path'], input?: object): QueryKey =>
  input === undefined ? [path] : [path, input];

const inputOf = ({ params, query, body }: LooseOptions): object => ({
  ...(params as object | undefined),
  ...(query as object | undefined),
  ...(body as object | undefined),
});

async function ask<E extends EndpointSpec>(endpoint: E, options: LooseOptions): Promise<DataOf<E>> {
  const answer = await call(endpoint as EndpointSpec, options as object);
  return (answer as { data: DataOf<E> }).data;
}

/** The query for an endpoint's answer to this input. Its key is the endpoint's path and the input. */
export function endpointQuery<E extends EndpointSpec, T = DataOf<E>>(
  endpoint: E,
  ...[given, settings]: Asked<E, Settings<E, T>>
) {
  const input: LooseOptions = given ?? {};
  return {
    ...settings,
    queryKey: [endpoint.path, inputOf(input)] as unknown as DataTag<QueryKey, DataOf<E>, Error>,
    queryFn: ({ signal }: { signal: AbortSignal }) => ask(endpoint, { ...input, signal }),
  };
}

/** An endpoint's answer to this input, cached for all screens that ask for the same. */
export function useEndpoint<E extends EndpointSpec, T = DataOf<E>>(endpoint: E, ...asked: Asked<E, Settings<E, T>>) {
  return useQuery(endpointQuery<E, T>(endpoint, ...asked));
}

/** The query for an endpoint's answers page by page, each continued with the cursor that the previous one names. */
export function endpointPages<E extends EndpointSpec>(endpoint: E, ...[given]: Asked<E, never>) {
  const input: LooseOptions = given ?? {};
  type Page = DataOf<E> & { nextCursor?: string | null; pagination?: { nextCursor?: string | null } };
  return infiniteQueryOptions({
    queryKey: [endpoint.path, inputOf(input), 'pages'] as QueryKey,
    queryFn: async ({ pageParam: cursor, signal }) =>
      (await ask(endpoint, { ...input, query: { ...(input.query as object | undefined), cursor }, signal })) as Page,
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor ?? page.pagination?.nextCursor ?? null,
  });
}

const parameter = /^\{(\w+)\}$/;

/**
 * The key of the answers at `path` that a command makes stale. Parameters in the part that both paths begin with are the same:
 * `/admin/cases/{id}/claim` affects one case at `/admin/cases/{id}`.
 */
function staleKey(path: string, command: EndpointSpec, params: object | undefined): QueryKey {
  const [words, own] = [path.split('/'), command.path.split('/')];
  const end = words.findIndex((word, index) => word !== own[index]);
  const names = words.slice(0, end < 0 ? undefined : end).flatMap((word) => parameter.exec(word)?.[1] ?? []);
  const given = new Map(Object.entries(params ?? {}));
  return names.length === 0 ? [path] : [path, Object.fromEntries(names.map((name) => [name, given.get(name)]))];
}

/** Marks as stale what a command affects, and loads what is on the screen again. */
export async function refreshAfter(command: EndpointSpec, params?: object): Promise<void> {
  const keys = (command.stale ?? []).map((path) => staleKey(path, command, params));
  await Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}

interface CommandSettings<E extends EndpointSpec, V> extends Omit<
  UseMutationOptions<DataOf<E>, Error, V>,
  'mutationFn'
> {
  /** The command counts as pending until everything it affects has been loaded again. */
  waits?: boolean;
}

/** A command whose input is derived from the argument of `mutate`; afterwards, everything it makes stale is loaded again. */
export function useCommand<E extends EndpointSpec, V = void>(
  endpoint: E,
  toInput: (given: V) => CallOptions<E>,
  { waits = false, ...settings }: CommandSettings<E, V> = {},
) {
  return useMutation<DataOf<E>, Error, V>({
    mutationFn: (given) => ask(endpoint, toInput(given)),
    onSettled: async (_data, _error, given) => {
      const refreshed = refreshAfter(endpoint, toInput(given).params);
      if (waits) await refreshed;
    },
    ...settings,
  });
}
