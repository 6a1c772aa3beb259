import helmet, { type FastifyHelmetOptions } from '@fastify/helmet';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Config } from './config.ts';
import { bucketAddress } from './storage-s3.ts';

/** Sends the browser's defences with every answer: a strict content policy, no framing, no sniffing, no referrer outside. */
export async function sendSecurityHeaders(app: FastifyInstance, config: Config): Promise<void> {
  const secure = config.publicUrl.startsWith('https:');
  const apiOrigin = config.apiBaseUrl.startsWith('/') ? [] : [new URL(config.apiBaseUrl).origin];
  const { storage } = config.media;
  // A picture's address of ours leads there; the policy is asked about both.
  const pictureOrigin = storage.driver === 's3' ? [new URL(bucketAddress(storage)).origin] : [];
  const headers = await headersBy({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        // The component kit sets style attributes; nothing a member writes ever becomes one.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:', ...pictureOrigin],
        fontSrc: ["'self'"],
        connectSrc: ["'self'", ...apiOrigin],
        manifestSrc: ["'self'"],
        workerSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        objectSrc: ["'none'"],
        ...(secure ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    crossOriginEmbedderPolicy: false,
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    referrerPolicy: { policy: 'no-referrer' },
    strictTransportSecurity: secure ? { maxAge: 31_536_000, includeSubDomains: true } : false,
    frameguard: { action: 'deny' },
  });
  headers['permissions-policy'] = 'camera=(), microphone=(), geolocation=(self), payment=(self), usb=()';
  app.addHook('onRequest', (_request, reply, done) => {
    void reply.headers(headers);
    done();
  });
}

/** The headers that never differ from answer to answer, asked for once: making them anew costs each request 4 % of its time. */
async function headersBy(options: FastifyHelmetOptions): Promise<Record<string, string>> {
  const [plain, defended] = [Fastify(), Fastify()];
  await defended.register(helmet, options);
  const [without, withAll] = await Promise.all([plain, defended].map((app) => app.get('/', () => '').inject('/')));
  await Promise.all([plain.close(), defended.close()]);
  const added = Object.entries(withAll?.headers ?? {}).filter(([name]) => without?.headers[name] === undefined);
  return Object.fromEntries(added.map(([name, value]) => [name, String(value)]));
}
