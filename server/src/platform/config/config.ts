import { readAge } from './age.ts';
import { readAppLinks } from './app-links.ts';
import { createHmac } from 'node:crypto';
import { relative, resolve } from 'node:path';
import {
  address,
  baseAddress,
  ConfigError,
  contact,
  mailbox,
  mailboxes,
  oneOf,
  origin,
  read,
  refusedInProduction,
  secretValue,
  wholeNumber,
  withoutTrailingSlash,
  type Environment,
  type Mailbox,
} from './values.ts';
import { productName } from '#contract/constants.ts';
import { readDatabase } from './database.ts';
import { readPayments, readPrices } from './payments.ts';
import { readHouse } from './house.ts';
import { readSignIn } from './sign-in.ts';
import { readPush } from './push.ts';
import { allowsClearText, isLoopback, isLocal, refuseClearText } from './exposure.ts';
import { refusePlaceholders } from './placeholders.ts';
import { readTrustedProxies } from './proxies.ts';
import { withSecretFiles } from './secret-settings.ts';

/** A service of the operator that is called with signed bodies; see `postSigned`. */
export interface SignedHook {
  url: string;
  secret: string;
}

/** The base URL of a bucket's objects, without a trailing slash. */
export function bucketAddress({ endpoint, bucket, forcePathStyle }: S3Config): string {
  return forcePathStyle ? `${endpoint}/${bucket}` : endpoint.replace('://', `://${bucket}.`);
}

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

const projectRoot = resolve(import.meta.dirname, '../../../..');
const secretMinLength = 32;
const metricsTokenMinLength = 16;
const demoMembers = 500;
const usualSender: Mailbox = { name: productName, address: 'no-reply@heartwood.test' };
const seedMembersMax = 10_000_000;
/** The error for a configuration that would let others reach the demo accounts. */
export const demoIsReachable =
  'HOST lets other machines reach this server, and the passwords of its demo accounts are published. Set SEED=none to start ' +
  'without them, SEED=demo to allow them, or HOST=127.0.0.1.';

/**
 * Reads the configuration from the environment, with defaults; throws `ConfigError` for the first invalid variable. An
 * empty value counts as unset.
 */
export function readConfig(environment: Environment = process.env) {
  const env = withSecretFiles(environment);
  const production = isProduction(env);
  if (production) refuseMissing(env);
  const port = wholeNumber(env, 'PORT', { fallback: 3000, min: 1, max: 65_535 });
  const database = readDatabase(env);
  const publicUrl = origin(env, 'PUBLIC_URL', ['http:', 'https:']);
  const dataDir = readDataDir(env);
  const supportEmail = readSupportEmail(env, production);
  const host = readHost(env);
  // Features meant for one machine are off by default if others can reach the server.
  const exposed = production || !isLoopback(host);
  const forMembers = exposed || !isLocal(publicUrl);
  if (production) refuseUnsafe(env);
  const seed = readSeed(env, { production, exposed, databaseUrl: database.databaseUrl });
  return {
    production,
    host,
    port,
    /** The origin used in email links. */
    publicUrl: publicUrl ?? `http://localhost:${port}`,
    /** Where the web app finds the API: a path of this server or a full URL; no trailing slash. */
    apiBaseUrl: readApiBaseUrl(env),
    /** An absolute path. */
    dataDir,
    ...database,
    /** Null if processes reach each other's sockets through the database. */
    redisUrl: address(env, 'REDIS_URL', ['redis:', 'rediss:']),
    seed,
    /** Which places are known without an import: towns with at least 1,000 people and seats of municipalities, or our own list of large cities. */
    places: oneOf(env, 'PLACES', ['all', 'large'], production && seed.mode === 'none' ? 'all' : 'large'),
    rateLimits: readRateLimits(env, production),
    /** Whether connections to other networks may be unencrypted. */
    allowsClearText: allowsClearText(env),
    supportEmail,
    /** Where to report vulnerabilities: a mailto: or https: URL. */
    securityContact: contact(env, 'SECURITY_CONTACT') ?? `mailto:${supportEmail}`,
    mail: readMail(env, { production, forMembers, publicUrl }),
    /** Null if `/metrics` is available only on loopback. */
    metricsToken: secretValue(env, 'METRICS_TOKEN', metricsTokenMinLength),
    /** Null for no traces, and metrics only at `/metrics`. */
    telemetry: readTelemetry(env),
    /** Addresses, networks or the names `loopback`, `linklocal`, `uniquelocal`. */
    trustedProxies: readTrustedProxies(env),
    media: readMedia(env, dataDir),
    /** Who is notified of emergencies: a service that wakes the people on call, and addresses. */
    paging: {
      url: readHook(env, 'PAGER_URL', 'PAGER_SECRET'),
      mail: mailboxes(env, 'PAGER_MAIL').map((one) => one.address),
    },
    payments: readPayments(env, { production, exposed }),
    signIn: readSignIn(env, { production, forMembers }),
    house: readHouse(env, production),
    age: readAge(env, production, secretMinLength),
    /** Whether staff must have a second factor. */
    staffMfa: oneOf(env, 'STAFF_MFA', ['on', 'off'], exposed ? 'on' : 'off') === 'on',
    push: readPush(env, supportEmail),
    appLinks: readAppLinks(env),
    secrets: readSecrets(env, production),
    worker: oneOf(env, 'WORKER', ['inline', 'off'], 'inline'),
    workerConcurrency: wholeNumber(env, 'WORKER_CONCURRENCY', { fallback: 4, min: 1, max: 64 }),
    logLevel: oneOf(env, 'LOG_LEVEL', logLevels, 'info'),
  };
}

export type Config = ReturnType<typeof readConfig>;

/** Reads the settings that a migration needs, with no secrets but the database passwords; see `readConfig`. */
export function readMigrationConfig(environment: Environment = process.env) {
  const env = withSecretFiles(environment);
  const [production, database, host] = [isProduction(env), readDatabase(env), readHost(env)];
  if (production) refuseUnsafe(env);
  const exposed = production || !isLoopback(host);
  return {
    production,
    host,
    dataDir: readDataDir(env),
    ...database,
    seed: readSeed(env, { production, exposed, databaseUrl: database.databaseUrl }),
    prices: readPrices(env),
  };
}

export type MigrationConfig = ReturnType<typeof readMigrationConfig>;

const isProduction = (env: Environment) =>
  oneOf(env, 'NODE_ENV', ['production', 'development', 'test'], 'development') === 'production';
const readHost = (env: Environment) => read(env, 'HOST') ?? '127.0.0.1';

/** PostgreSQL's own files contain the path on a single line, so it must have no line break. */
function readDataDir(env: Environment): string {
  const folder = resolve(projectRoot, read(env, 'DATA_DIR') ?? '.data');
  if (/\p{Cc}/u.test(folder))
    throw new ConfigError('DATA_DIR must be a folder without a line break or another control character in its path.');
  return folder;
}

/** Reports all missing settings at once, so that a first start isn't refused for one after the other. */
function refuseMissing(env: Environment): void {
  const ofMail = read(env, 'WORKER') === 'off' ? [] : ['SMTP_URL', 'MAIL_FROM'];
  const required = ['PUBLIC_URL', 'JWT_SECRET', 'SUPPORT_EMAIL', ...ofMail];
  const missing = required.filter((name) => read(env, name) === undefined);
  if (missing.length < 2) return;
  throw new ConfigError(
    `These settings are required when NODE_ENV is production, and are not set: ${missing.join(', ')}. docs/operating/settings.md explains them.`,
  );
}

/**
 * Addresses that people and browser vendors write to. A default would publish a made-up address or lose their messages.
 */
const writtenTo = ['SUPPORT_EMAIL', 'SECURITY_CONTACT', 'VAPID_SUBJECT', 'MAIL_FROM', 'MAIL_REPLY_TO'];

function readSupportEmail(env: Environment, production: boolean): string {
  const supportEmail = mailbox(env, 'SUPPORT_EMAIL')?.address;
  if (!production) return supportEmail ?? 'support@heartwood.test';
  if (supportEmail === undefined)
    throw new ConfigError(
      'SUPPORT_EMAIL, which members, security researchers and browser vendors write to, is required when NODE_ENV is production.',
    );
  const unreachable = writtenTo.find((name) => /\.(test|invalid)>?$/i.test(read(env, name) ?? ''));
  if (unreachable !== undefined)
    throw new ConfigError(
      `${unreachable} is a placeholder, because no mail reaches a name ending in .test or .invalid: replace it with the real address.`,
    );
  return supportEmail;
}

function refuseUnsafe(env: Environment): void {
  refusePlaceholders(env);
  refuseClearText(env);
}

/**
 * An OpenTelemetry collector that accepts OTLP over HTTP. The names and units are OpenTelemetry's, whose libraries read
 * more variables themselves, such as request headers.
 */
function readTelemetry(env: Environment) {
  const endpoint = baseAddress(env, 'OTEL_EXPORTER_OTLP_ENDPOINT', ['http:', 'https:']);
  const share = read(env, 'OTEL_TRACES_SAMPLER_ARG') ?? '0.01';
  const metricsEveryMs = wholeNumber(env, 'OTEL_METRIC_EXPORT_INTERVAL', {
    fallback: 60_000,
    min: 1000,
    max: 3_600_000,
  });
  if (!/^(0(\.\d+)?|1(\.0+)?)$/.test(share))
    throw new ConfigError('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, such as 0.01.');
  if (endpoint === null) return null;
  return {
    /** Without a trailing slash. */
    endpoint,
    /** The share of requests and jobs that is traced, 0 to 1. */
    traceShare: Number(share),
    metricsEveryMs,
  };
}

export type TelemetryConfig = NonNullable<ReturnType<typeof readTelemetry>>;

function readApiBaseUrl(env: Environment): string {
  const value = read(env, 'API_BASE_URL') ?? '/api/v1';
  if (!/^\/(?!\/)/.test(value)) return baseAddress(env, 'API_BASE_URL', ['http:', 'https:']) ?? value;
  // The page contains it in an HTML attribute.
  if (!/^[\w/.~%-]+$/.test(value))
    throw new ConfigError('API_BASE_URL must be a path without a ? or a #, such as /api/v1.');
  return withoutTrailingSlash(value);
}

function readRateLimits(env: Environment, production: boolean): boolean {
  const limits = oneOf(env, 'RATE_LIMITS', ['on', 'off'], 'on') === 'on';
  if (!limits && production) throw refusedInProduction('RATE_LIMITS=off', 'one person could overload the service');
  return limits;
}

/** Demo accounts have published passwords, so others can reach them only if the operator enables it. */
function readSeed(
  env: Environment,
  { production, exposed, databaseUrl }: { production: boolean; exposed: boolean; databaseUrl: string | null },
) {
  const fallback = databaseUrl === null && !production ? 'demo' : 'none';
  const mode = oneOf(env, 'SEED', ['demo', 'none'], fallback);
  if (mode === 'demo' && exposed && read(env, 'SEED') === undefined) throw new ConfigError(demoIsReachable);
  return { mode, members: wholeNumber(env, 'SEED_MEMBERS', { fallback: demoMembers, min: 1, max: seedMembersMax }) };
}

/**
 * `outboxShown`: `/dev/outbox` and its endpoint exist; never in production, and beyond this machine only if
 * `MAIL_DRIVER` is set. `smtpUrl`: null in processes that run no jobs, because emails are sent by a job.
 */
function readMail(
  env: Environment,
  { production, forMembers, publicUrl }: { production: boolean; forMembers: boolean; publicUrl: string | null },
) {
  const smtpUrl = address(env, 'SMTP_URL', ['smtp:', 'smtps:']);
  if (smtpUrl !== null && new URL(smtpUrl).pathname.length > 1)
    throw new ConfigError('SMTP_URL must be a host, with a port if needed, but it has a path.');
  const from = mailbox(env, 'MAIL_FROM');
  const fallback = smtpUrl === null && !production ? 'outbox' : 'smtp';
  const driver = oneOf(env, 'MAIL_DRIVER', ['outbox', 'smtp'], fallback);
  const base = { from: from ?? usualSender, replyTo: mailbox(env, 'MAIL_REPLY_TO') };
  if (driver === 'outbox') {
    if (production) throw refusedInProduction('MAIL_DRIVER=outbox', 'no mail would leave this machine');
    return { ...base, driver, smtpUrl: null, outboxShown: !forMembers || read(env, 'MAIL_DRIVER') !== undefined };
  }
  if (production && publicUrl === null)
    throw new ConfigError('PUBLIC_URL, which the links in mails start with, is required when NODE_ENV is production.');
  if (smtpUrl === null && read(env, 'WORKER') !== 'off')
    throw new ConfigError(
      'Emails are sent by SMTP, but SMTP_URL is not set; only a process with WORKER=off needs none.',
    );
  if (smtpUrl !== null && from === null) throw new ConfigError('Emails are sent by SMTP, but MAIL_FROM is not set.');
  return { ...base, driver, smtpUrl, outboxShown: false };
}

export type MailConfig = ReturnType<typeof readMail>;

function readHook(env: Environment, urlName: string, secretName: string): SignedHook | null {
  const url = address(env, urlName, ['http:', 'https:']);
  const secret = secretValue(env, secretName, secretMinLength);
  if (url !== null && secret === null)
    throw new ConfigError(`${urlName} is set, but ${secretName}, which signs the requests, is not.`);
  return url === null || secret === null ? null : { url, secret };
}

function readMedia(env: Environment, dataDir: string) {
  return {
    /** A service that checks new pictures. Null if staff review every picture. */
    check: readHook(env, 'MODERATION_URL', 'MODERATION_SECRET'),
    /** The absolute path of the picture files. */
    directory: resolve(projectRoot, read(env, 'MEDIA_DIR') ?? resolve(dataDir, 'media')),
    storage: readStorage(env),
    maxUploadBytes: wholeNumber(env, 'MAX_UPLOAD_MB', { fallback: 10, min: 1, max: 50 }) * 1_000_000,
    /** Whether new pictures are shown before they are reviewed. */
    showsPending: oneOf(env, 'PHOTO_POLICY', ['review', 'post'], 'review') === 'post',
  };
}

/** Why pictures could get lost with the program's folder, as when it is cloned again; null in development. */
export function weaknessOfPictures({ production, media }: Pick<Config, 'production' | 'media'>): string | null {
  const isInside = !relative(projectRoot, media.directory).startsWith('..');
  return production && media.storage.driver === 'disk' && isInside
    ? `pictures and the record of deletions are in the program's folder, in ${media.directory}: stop, move them to a folder outside, and set MEDIA_DIR or, with the embedded database, DATA_DIR to it`
    : null;
}

const s3Variables = ['S3_ENDPOINT', 'S3_REGION', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const;

function readStorage(env: Environment) {
  const isNamed = s3Variables.some((name) => read(env, name) !== undefined);
  const driver = oneOf(env, 'STORAGE', ['disk', 's3'], isNamed ? 's3' : 'disk');
  return driver === 'disk' ? { driver } : { driver, ...readS3(env) };
}

/** A bucket of an S3-compatible store, at a URL that both browsers and the server can reach. */
export type S3Config = ReturnType<typeof readS3>;

function readS3(env: Environment) {
  const needed = (name: (typeof s3Variables)[number]): string => {
    const value = read(env, name);
    if (value === undefined) throw new ConfigError(`Pictures are stored in S3, but ${name} is not set.`);
    return value;
  };
  const endpoint = baseAddress(env, 'S3_ENDPOINT', ['http:', 'https:']) ?? needed('S3_ENDPOINT');
  const region = needed('S3_REGION');
  const bucket = needed('S3_BUCKET');
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket))
    throw new ConfigError('S3_BUCKET must have 3 to 63 characters: lower-case letters, digits, dots and hyphens.');
  const forcePathStyle = oneOf(env, 'S3_FORCE_PATH_STYLE', ['true', 'false'], 'false') === 'true';
  if (!forcePathStyle && !URL.canParse(endpoint.replace('://', `://${bucket}.`)))
    throw new ConfigError(
      'S3_ENDPOINT is an IP address. Set S3_FORCE_PATH_STYLE to true, because a bucket name cannot be put before it.',
    );
  return {
    /** Without a trailing slash. */
    endpoint,
    region,
    bucket,
    accessKeyId: needed('S3_ACCESS_KEY_ID'),
    secretAccessKey: needed('S3_SECRET_ACCESS_KEY'),
    /** The bucket name is in the path instead of the host name. */
    forcePathStyle,
  };
}

/**
 * Null for a secret that is generated once and stored in the table `secret`. Never null in production, where unset
 * secrets are derived from `JWT_SECRET`.
 */
function readSecrets(env: Environment, production: boolean) {
  const jwt = readSecret(env, 'JWT_SECRET', production);
  const derived =
    jwt === null ? null : createHmac('sha256', jwt).update('heartwood media addresses').digest('base64url');
  const factors = secretValue(env, 'FACTOR_SECRET', secretMinLength) ?? jwt;
  return {
    jwt,
    media: secretValue(env, 'MEDIA_SECRET', secretMinLength) ?? derived,
    /** The key that encrypts second factors. */
    factors:
      factors === null ? null : createHmac('sha256', factors).update('heartwood second factors').digest('base64url'),
  };
}

function readSecret(env: Environment, name: string, production: boolean): string | null {
  const value = secretValue(env, name, secretMinLength);
  if (value === null && production) {
    throw new ConfigError(
      `${name} is required when NODE_ENV is production: at least ${secretMinLength} random characters.`,
    );
  }
  return value;
}
