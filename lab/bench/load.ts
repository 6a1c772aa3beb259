import autocannon from 'autocannon';

/** A call that is sent under load. */
export interface Call {
  method: string;
  path: string;
  token?: string | undefined;
  body?: string | Buffer;
  /** The content type of a body that isn't JSON. */
  type?: string;
  /** Sent as `Idempotency-Key`. */
  key?: string;
}

/** The measurements: calls in total and per second, times in milliseconds, and the bytes of an average answer with headers. */
export interface Load {
  count: number;
  rate: number;
  p50: number;
  p99: number;
  bytes: number;
}

/** The headers that browsers send with every call. */
const browserHeaders = {
  accept: '*/*',
  'accept-encoding': 'gzip, deflate, br, zstd',
  'accept-language': 'en-GB,en;q=0.9',
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
};

const requestOf = ({ method, path, token, body, type = 'application/json', key }: Call) => ({
  method,
  path,
  headers: {
    ...browserHeaders,
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(body !== undefined && { 'content-type': type }),
    ...(key !== undefined && { 'idempotency-key': key }),
  },
  ...(body !== undefined && { body }),
});

/**
 * Sends calls from several clients, each of which sends its part of the calls over one kept-alive connection: once each, or repeatedly for
 * some seconds. Throws on any status but success.
 */
export async function load(
  origin: string,
  calls: Call[],
  { clients, seconds }: { clients: number; seconds?: number },
): Promise<Load> {
  // If there are fewer calls than clients, every client sends all of them.
  const each = Math.floor(calls.length / clients) || calls.length;
  let begun = 0;
  const found = await autocannon({
    url: origin,
    connections: clients,
    ...(seconds === undefined ? { amount: each * clients } : { duration: seconds }),
    setupClient(client) {
      client.setRequests(
        (each === calls.length ? calls : calls.slice(begun * each, (begun + 1) * each)).map(requestOf),
      );
      begun += 1;
    },
  });
  if (found.non2xx + found.errors > 0)
    throw new Error(
      `${calls[0]?.path}: ${found.non2xx} refusals and ${found.errors} errors of ${found.requests.total}`,
    );
  const { requests, latency, throughput } = found;
  return {
    count: requests.total,
    rate: requests.average,
    p50: latency.p50,
    p99: latency.p99,
    bytes: throughput.total / requests.total,
  };
}
