import type { BodyOf, EndpointSpec } from '#contract/endpoint.ts';
import { call } from './call.ts';
import { refreshAfter } from './endpoint-query.ts';
import type { CallOptions } from './request.ts';

/** Sends a command, and afterwards loads again what it makes stale. */
export async function sendCommand<E extends EndpointSpec>(endpoint: E, input: CallOptions<E>): Promise<unknown> {
  try {
    return await call(endpoint, input);
  } finally {
    void refreshAfter(endpoint, input.params);
  }
}

/** What `useForm` needs to send the body of a command: its schema, and how it is sent. */
export const formOf = <E extends EndpointSpec>(endpoint: E, input: Omit<CallOptions<E>, 'body'>) => ({
  schema: endpoint.body as NonNullable<E['body']>,
  send: (body: BodyOf<E>) => sendCommand(endpoint, { ...input, body } as unknown as CallOptions<E>),
});
