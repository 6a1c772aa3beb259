import { connect, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiBasePath, bodyLimitBytes } from '#contract/constants.ts';
import { errorBodySchema } from '#contract/error-body.ts';
import { startApp, type TestApp } from '../../../test/harness.ts';

let test: TestApp;
let port: number;
beforeAll(async () => {
  test = await startApp();
  await test.app.listen({ host: '127.0.0.1', port: 0 });
  ({ port } = test.app.server.address() as AddressInfo);
});
afterAll(() => test.close());

/** Writes the parts one after another whatever the server answers; returns the answer and the connection's error. */
async function write(parts: string[]): Promise<{ status: string; body: unknown; fault: string | null }> {
  const socket = connect(port, '127.0.0.1');
  let heard = '';
  let fault: string | null = null;
  socket.setEncoding('utf8').on('data', (chunk: string) => (heard += chunk));
  socket.on('error', (error: Error) => (fault = error.message));
  for (const part of parts) await new Promise((resolve) => socket.write(part, resolve));
  await expect.poll(() => heard).toContain('}');
  socket.destroy();
  const [head = '', body = ''] = heard.split('\r\n\r\n');
  return {
    status: head.split(' ')[1] ?? '',
    body: JSON.parse(body.slice(body.indexOf('{'), body.lastIndexOf('}') + 1)),
    fault,
  };
}

const head = (path: string, lines: string[]) =>
  [`POST ${apiBasePath}${path} HTTP/1.1`, 'host: x', ...lines, '', ''].join('\r\n');
const json = 'content-type: application/json';
const much = 'x'.repeat(100_000);

describe('a body that is too large gets its answer while it is still being sent', () => {
  it.each([
    ['with its length', [json, `content-length: ${40 * much.length}`], Array.from({ length: 40 }, () => much)],
    [
      'in chunks',
      [json, 'transfer-encoding: chunked'],
      Array.from({ length: 40 }, () => `${much.length.toString(16)}\r\n${much}\r\n`),
    ],
  ])('%s', async (_, lines, parts) => {
    expect(bodyLimitBytes).toBeLessThan(40 * much.length);
    const { status, body, fault } = await write([head('/auth/login', lines), ...parts]);
    expect([status, fault]).toEqual(['413', null]);
    expect(errorBodySchema.parse(body).code).toBe('PAYLOAD_TOO_LARGE');
  });
});

it('a connection that sends no complete request in time is answered with 408', async () => {
  const accepted = new Promise<unknown>((resolve) => test.app.server.once('connection', resolve));
  const socket = connect(port, '127.0.0.1');
  let heard = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (heard += chunk));
  const late = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
  test.app.server.emit('clientError', late, await accepted);
  await expect.poll(() => heard).toMatch(/^HTTP\/1\.1 408 Request Timeout[^]*REQUEST_TIMEOUT/);
});
