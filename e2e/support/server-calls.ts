import { apiBasePath } from '#contract/constants.ts';
import type { AnswerOf, BodyInput, EndpointSpec, ParamsInput, QueryInput } from '#contract/endpoint.ts';

interface CallOptions<E extends EndpointSpec> {
  token?: string;
  params?: ParamsInput<E>;
  query?: QueryInput<E>;
  body?: BodyInput<E>;
}

interface Answered<E extends EndpointSpec> {
  status: number;
  /** The body of a success; reading it after a refusal fails the test. */
  body: AnswerOf<E>;
}

export type Caller = <E extends EndpointSpec>(endpoint: E, options?: CallOptions<E>) => Promise<Answered<E>>;

/** Calls the endpoints of the contract at `url`. */
export function callerOf(url: string): Caller {
  return async (endpoint, { token, params, query, body } = {}) => {
    const path = Object.entries((params ?? {}) as Record<string, string>).reduce(
      (filled, [name, value]) => filled.replace(`{${name}}`, encodeURIComponent(value)),
      endpoint.path,
    );
    const search = new URLSearchParams((query ?? {}) as Record<string, string>).toString();
    const response = await fetch(`${url}${apiBasePath}${path}${search === '' ? '' : `?${search}`}`, {
      method: endpoint.method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const answer = (await response.json()) as AnswerOf<typeof endpoint>;
    return {
      status: response.status,
      get body() {
        if (!response.ok) throw new Error(`${endpoint.method} ${endpoint.path} answered ${response.status}`);
        return answer;
      },
    };
  };
}
