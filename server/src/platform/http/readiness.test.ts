import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/harness.ts';

let service: TestApp;

beforeEach(async () => {
  service = await startApp();
});

afterEach(() => service.close());

const readiness = () => service.app.inject({ url: '/readyz' });

test('GET /readyz reports ready while the database answers', async () => {
  expect((await readiness()).statusCode).toBe(200);
});

test('GET /readyz quickly reports not ready when the database hangs', async () => {
  const url = service.pool.options.connectionString;
  const other = new pg.Client({ ...(url === undefined ? {} : { connectionString: url }) });
  await other.connect();
  await other.query('begin; lock table installation');
  const started = performance.now();
  const answer = await readiness();
  expect(answer.statusCode).toBe(503);
  expect(answer.headers['retry-after']).toBe('2');
  expect(performance.now() - started).toBeLessThan(5000);
  await other.end();
  expect((await readiness()).statusCode).toBe(200);
});

test('GET /readyz reports not ready as soon as the app begins to stop', async () => {
  service.app.isDraining = true;
  expect((await readiness()).statusCode).toBe(503);
});
