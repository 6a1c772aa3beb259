import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer, globalAgent } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { join } from 'node:path';
import { createECDH } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UnsecuredJWT } from 'jose';
import { getProfile } from '#contract/profiles/profiles.ts';
import { createFacebook } from '../../src/features/auth/identity/providers/facebook.ts';
import { createHouse } from '../../src/features/auth/house/provider.ts';
import { createGoogle } from '../../src/features/auth/identity/providers/google.ts';
import { s3Storage } from '../../src/features/media/storage/storage-s3.ts';
import { createStripeClient } from '../../src/features/subscriptions/providers/stripe/api.ts';
import { createPush } from '#platform/notify/push.ts';
import { createLog } from '#platform/process/log.ts';
import { startApp } from '../harness.ts';
import { makeMember } from '../factories.ts';
import { uploadProfilePicture } from '../pictures.ts';

const dripEveryMs = 20;
const patienceMs = 400;
/** Time for the status of an answer, which must arrive, on a busy machine. */
const statusMs = 8_000;
/** The size of the buffers on the way plus the longest answer that is read, which is a stored object. */
const mostReceived = 40_000_000;

/** How many bytes were sent in answers that were cut off. */
const cut: number[] = [];
/** How many redirects were followed. */
let followed = 0;

/** Sends a body without an end: as fast as it is received, or one byte at a time. */
function answer(request: IncomingMessage, response: ServerResponse): void {
  request.resume();
  if ((request.url ?? '').startsWith('/moved')) {
    response.writeHead(302, { location: '/elsewhere' }).end();
    return;
  }
  if (request.url === '/elsewhere') followed += 1;
  const isEndless = (request.url ?? '').includes('endless');
  const part = Buffer.alloc(isEndless ? 65_536 : 1, ' ');
  let sent = 0;
  response.once('close', () => cut.push(sent));
  response.writeHead(200, { 'content-type': 'application/json' });
  const send = (): void => {
    if (response.destroyed) return;
    sent += part.length;
    const isTaken = response.write(part);
    if (!isEndless) setTimeout(send, dripEveryMs);
    else if (isTaken) setImmediate(send);
    else response.once('drain', send);
  };
  send();
}

const certificate = (name: string) =>
  readFileSync(join(import.meta.dirname, `../doubles/push-vendor/localhost.${name}`));
let plain: Server;
let secure: Server;
const portOf = (server: Server) => (server.address() as AddressInfo).port;
beforeAll(async () => {
  globalAgent.options.ca = certificate('crt');
  plain = createServer(answer).listen(0, '127.0.0.1');
  secure = createSecureServer({ cert: certificate('crt'), key: certificate('key') }, answer).listen(0, '127.0.0.1');
  await Promise.all([plain, secure].map((server) => once(server, 'listening')));
});
afterAll(() => [plain, secure].map((server) => server.close()));

const log = createLog('silent');
const now = new Date('2026-06-15T12:00:00.000Z');
const jwt = `${Buffer.from('{"alg":"RS256","kid":"1"}').toString('base64url')}.${new UnsecuredJWT({}).encode().split('.')[1]}.AAAA`;
const google = (url: string) =>
  createGoogle(
    {
      ...{ clientIds: ['x'], issuers: [url], authorizeUrl: url, clientSecret: 'x' },
      ...{ jwksUrl: `${url}/jwks`, tokenUrl: `${url}/token` },
    },
    fetch,
  );
const facebook = (url: string) =>
  createFacebook({ appId: 'x', appSecret: 'x', graphUrl: url, jwksUrl: `${url}/jwks`, dialogUrl: url }, fetch);
const house = (url: string) =>
  createHouse(
    {
      config: {
        ...{ issuer: url, clientId: 'x', clientSecret: 'x', name: 'x', scope: 'openid', groupsClaim: 'groups' },
        ...{ roles: [], passwordOwner: null },
      },
      ...{ publicUrl: url, secret: 'x' },
    },
    fetch,
  );
const bucket = (url: string) =>
  s3Storage(
    { endpoint: url, bucket: 'b', region: 'r', accessKeyId: 'k', secretAccessKey: 's', forcePathStyle: true },
    log,
    patienceMs,
  );
const isRefused = (call: Promise<unknown>) =>
  call.then(
    () => false,
    () => true,
  );

async function pushTo(url: string): Promise<boolean> {
  const p256dh = createECDH('prime256v1').generateKeys('base64url', 'uncompressed');
  const host = `localhost:${portOf(secure)}`;
  const push = createPush(
    { privateKey: null, subject: 'mailto:a@example.test', allowedHosts: [host] },
    // Without its leading zero, as one in 256 keys is written.
    Buffer.alloc(31, 1).toString('base64url'),
    log,
    statusMs,
  );
  const device = { endpoint: `https://${host}${new URL(url).pathname}`, p256dh, auth: 'A'.repeat(22) };
  // The status arrived before the rest.
  return (await push.send(device, 'x', 'x')) === 'sent';
}

async function checkPicture(url: string): Promise<boolean> {
  const app = await startApp({ MODERATION_URL: url, MODERATION_SECRET: 'a secret of at least thirty-two characters' });
  const member = await makeMember(app, { pictureless: true });
  await uploadProfilePicture(app, member);
  await app.drain();
  const { pictures } = (await app.call(getProfile, { token: member.token })).body.userData.user;
  await app.close();
  return pictures[0]?.state === 'pending';
}

const calls = Object.entries<(url: string) => Promise<boolean>>({
  'Google’s keys': (url) => isRefused(google(url).read(jwt, null, now)),
  'a code exchange with Google': (url) =>
    isRefused(google(url).exchange({ authorizationCode: 'x', codeVerifier: 'x', redirectUri: 'x' })),
  'the provider of the house’s account': (url) => isRefused(house(url).begin('x')),
  'a token check with Facebook': (url) => isRefused(facebook(url).read('x', undefined, now)),
  'Facebook’s keys': (url) => isRefused(facebook(url).read(jwt, undefined, now)),
  'reading an object from a bucket': (url) => isRefused(bucket(url).get('some-key')),
  'listing a bucket': (url) => isRefused(bucket(url).list('some-key', '')),
  'writing to a bucket': (url) => isRefused(bucket(url).put('some-key', Buffer.from('x'))),
  'a request to Stripe': (url) =>
    isRefused(
      createStripeClient({ secretKey: 'sk_test_x', apiBase: new URL(url).origin }, patienceMs).customers.retrieve(
        `cus_${new URL(url).pathname.slice(1)}`,
      ),
    ),
  'a push notification': pushTo,
  'the picture check': checkPicture,
});

describe('answers of external services', () => {
  it.each(['endless', 'dripping'])('are cut off when they are %s', async (kind) => {
    cut.length = 0;
    const url = `http://127.0.0.1:${portOf(plain)}/${kind}`;
    const outcomes = await Promise.all(calls.map(async ([what, call]) => [what, await call(url)] as const));
    expect(outcomes.filter(([, isRight]) => !isRight)).toEqual([]);
    await expect.poll(() => cut.length).toBeGreaterThanOrEqual(calls.length);
    expect(Math.max(...cut)).toBeLessThan(mostReceived);
  });

  it.each<[string, (url: string) => Promise<unknown>]>([
    ['Facebook', (url) => facebook(url).read('x', undefined, now)],
    ['the bucket', (url) => bucket(url).get('some-key')],
  ])('are refused when they lead elsewhere: %s', async (_, call) => {
    followed = 0;
    expect(await isRefused(call(`http://127.0.0.1:${portOf(plain)}/moved`))).toBe(true);
    expect(followed).toBe(0);
  });
});
