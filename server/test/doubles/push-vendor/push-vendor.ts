import { createECDH, randomBytes, randomUUID, type ECDH } from 'node:crypto';
import { readFileSync } from 'node:fs';
import https, { globalAgent } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import ece from 'http_ece';

/** A received message, decrypted as the browser would. */
export interface Delivered {
  path: string;
  payload: string;
  headers: Record<string, string | string[] | undefined>;
}

interface Browser {
  pair: ECDH;
  auth: string;
}

/** A browser vendor's push service over TLS, with browsers that can decrypt its messages. */
export interface PushVendor {
  /** Host and port, for the allow list. */
  host: string;
  delivered: Delivered[];
  /** Sets the status of all further answers, or of those to one endpoint. */
  answers(status: number, endpoint?: string): void;
  /** A browser's push subscription. */
  browser(): { endpoint: string; keys: { p256dh: string; auth: string } };
  close(): Promise<void>;
}

const file = (name: string) => readFileSync(join(import.meta.dirname, name));

/** Starts the service; from then on, this process trusts its certificate. */
export async function startPushVendor(): Promise<PushVendor> {
  const browsers = new Map<string, Browser>();
  const delivered: Delivered[] = [];
  let usual = 201;
  const answers = new Map<string, number>();
  const cert = file('localhost.crt');
  globalAgent.options.ca = cert;
  const server = https.createServer({ cert, key: file('localhost.key') }, (request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const browser = browsers.get(request.url ?? '');
      if (request.method !== 'POST' || browser === undefined) throw new Error(`nothing is at ${request.url}`);
      const status = answers.get(`https://${host}${request.url ?? ''}`) ?? usual;
      if (status < 300) {
        const { pair: privateKey, auth: authSecret } = browser;
        const payload = ece.decrypt(Buffer.concat(parts), { version: 'aes128gcm', privateKey, authSecret }).toString();
        delivered.push({ path: request.url ?? '', payload, headers: request.headers });
      }
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `localhost:${(server.address() as AddressInfo).port}`;
  return {
    host,
    delivered,
    answers: (status, endpoint) => {
      if (endpoint === undefined) usual = status;
      else answers.set(endpoint, status);
    },
    browser() {
      const pair = createECDH('prime256v1');
      const p256dh = pair.generateKeys('base64url', 'uncompressed');
      const auth = randomBytes(16).toString('base64url');
      const path = `/send/${randomUUID()}`;
      browsers.set(path, { pair, auth });
      return { endpoint: `https://${host}${path}`, keys: { p256dh, auth } };
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
