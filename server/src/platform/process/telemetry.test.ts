import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { getProfile } from '#contract/profiles/profiles.ts';
import { makeMember } from '../../../test/factories.ts';
import { startApp, type TestApp } from '../../../test/harness.ts';

interface Value {
  stringValue?: string;
  intValue?: number;
}
interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: { key: string; value: Value }[];
}
interface Point {
  attributes: { key: string; value: Value }[];
  count?: number | string;
  bucketCounts?: (number | string)[];
}
interface Sent {
  resourceSpans?: { scopeSpans: { spans: Span[] }[] }[];
  resourceMetrics?: { scopeMetrics: { metrics: { name: string; histogram?: { dataPoints: Point[] } }[] }[] }[];
}

let collector: Server | undefined;
let app: TestApp | undefined;
afterEach(async () => {
  await app?.close();
  collector?.closeAllConnections();
  collector?.close();
  app = collector = undefined;
});

/** Runs an app that sends to a collector; returns what arrived there, as text, after the app was closed. */
async function startTraced(share: string) {
  const bodies: string[] = [];
  collector = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      bodies.push(Buffer.concat(parts).toString());
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });
  await new Promise<void>((resolve) => collector?.listen(0, '127.0.0.1', resolve));
  const { port } = collector.address() as AddressInfo;
  const traced = await startApp({
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_TRACES_SAMPLER_ARG: share,
  });
  app = traced;
  return {
    app: traced,
    arrived: async () => {
      await traced.close();
      app = undefined;
      const sent = bodies.map((body) => JSON.parse(body) as Sent);
      return {
        text: bodies.join('\n'),
        spans: sent.flatMap(({ resourceSpans = [] }) =>
          resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
        ),
        metrics: sent.flatMap(({ resourceMetrics = [] }) =>
          resourceMetrics.flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics)),
        ),
      };
    },
  };
}

describe('telemetry', () => {
  test('exports requests with their statements and metrics, without any member’s data', async () => {
    const { app: traced, arrived } = await startTraced('1');
    const member = await makeMember(traced, { email: 'canary-trace@example.test', firstName: 'Canarytrace' });
    expect((await traced.call(getProfile, { token: member.token })).status).toBe(200);
    const { spans, metrics, text } = await arrived();

    const request = spans.find(({ name }) => name === 'GET /api/v1/auth/profile');
    expect(request?.attributes).toContainEqual({ key: 'http.response.status_code', value: { intValue: 200 } });
    const statements = spans.filter(({ parentSpanId }) => parentSpanId === request?.spanId);
    expect(statements.length).toBeGreaterThan(0);
    expect(new Set(statements.map(({ traceId }) => traceId))).toEqual(new Set([request?.traceId]));
    expect(statements.some(({ name }) => name.startsWith('select'))).toBe(true);

    const points = metrics.findLast(({ name }) => name === 'http_request_duration_seconds')?.histogram?.dataPoints;
    const answered = points?.find(({ attributes }) =>
      attributes.some(({ value }) => value.stringValue === '/api/v1/auth/profile'),
    );
    expect(Number(answered?.count)).toBe(1);
    expect(answered?.bucketCounts?.reduce<number>((sum, count) => sum + Number(count), 0)).toBe(1);

    for (const secret of ['canary-trace', 'Canarytrace', member.id, member.token]) expect(text).not.toContain(secret);
  });

  test('exports only metrics when no request is sampled', async () => {
    const { app: traced, arrived } = await startTraced('0');
    const member = await makeMember(traced);
    await traced.call(getProfile, { token: member.token });
    const { spans, metrics } = await arrived();
    expect(spans).toEqual([]);
    expect(metrics.length).toBeGreaterThan(0);
  });
});
