import helmet, { type FastifyHelmetOptions } from '@fastify/helmet';
import Fastify, { type FastifyInstance } from 'fastify';
import { apiBasePath } from '#contract/constants.ts';
import { bucketAddress, type Config } from '../config/config.ts';

/** Sends the browser's defences with every answer: a strict content policy, no framing, no sniffing, no referrer outside. */
export async function sendSecurityHeaders(app: FastifyInstance, config: Config): Promise<void> {
  const secure = config.publicUrl.startsWith('https:');
  const apiOrigin = config.apiBaseUrl.startsWith('/') ? [] : [new URL(config.apiBaseUrl).origin];
  const { storage } = config.media;
  // A picture's address of ours leads there; the policy is asked about both.
  const pictureOrigin = storage.driver === 's3' ? [new URL(bucketAddress(storage)).origin] : [];
  const pays = config.payments.provider === 'stripe' ? stripeOrigins : noOrigins;
  const headers = await headersBy({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'", ...pays.scripts],
        // The component kit sets style attributes; nothing a member writes ever becomes one.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:', ...pictureOrigin],
        fontSrc: ["'self'"],
        connectSrc: ["'self'", ...apiOrigin, ...pays.calls],
        ...(pays.frames.length === 0 ? {} : { frameSrc: [...pays.frames] }),
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
  const ofData = { ...withoutDocuments(headers), 'content-security-policy': dataPolicy(secure) };
  app.addHook('onRequest', (request, reply, done) => {
    void reply.headers(request.url.startsWith(`${apiBasePath}/`) ? ofData : headers);
    done();
  });
}

/** Where Stripe's form comes from, draws its fields and calls. */
const stripeOrigins = {
  scripts: ['https://js.stripe.com'],
  frames: ['https://js.stripe.com', 'https://hooks.stripe.com'],
  calls: ['https://api.stripe.com'],
} as const;
const noOrigins = { scripts: [], frames: [], calls: [] } as const;

/** What only means something on a page, or to browsers long gone. */
const documentHeaders = [
  'cross-origin-opener-policy',
  'origin-agent-cluster',
  'permissions-policy',
  'x-dns-prefetch-control',
  'x-download-options',
  'x-permitted-cross-domain-policies',
  'x-xss-protection',
];

function withoutDocuments(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !documentHeaders.includes(name)));
}

/** The policy of answers that are data and never a page: half a kilobyte less to write with each. */
function dataPolicy(secure: boolean): string {
  return `default-src 'none';frame-ancestors 'none'${secure ? ';upgrade-insecure-requests' : ''}`;
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
