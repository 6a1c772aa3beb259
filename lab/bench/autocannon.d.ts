/** The part of the package that the bench uses; the package has no types. */
declare module 'autocannon' {
  interface Request {
    method: string;
    path: string;
    headers: Record<string, string>;
    body?: string | Buffer;
  }
  interface Options {
    url: string;
    connections: number;
    /** In seconds; used without a number of requests. */
    duration?: number;
    amount?: number;
    setupClient(client: { setRequests(requests: Request[]): void }): void;
  }
  interface Result {
    requests: { average: number; total: number };
    throughput: { total: number };
    /** In milliseconds. */
    latency: { p50: number; p99: number };
    non2xx: number;
    errors: number;
  }
  export default function autocannon(options: Options): Promise<Result>;
}
