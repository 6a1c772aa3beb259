import { describe, expect, test } from 'vitest';
import { ConfigError } from './values.ts';
import { readConfig, weaknessOfPictures } from './config.ts';
import { production } from '../../../test/production.ts';

const secret = 'a-secret-of-at-least-thirty-two-characters';

describe('the configuration without any variables', () => {
  test('runs on one machine with demo data and embedded services', () => {
    expect(readConfig({})).toEqual({
      production: false,
      host: '127.0.0.1',
      port: 3000,
      publicUrl: 'http://localhost:3000',
      allowsClearText: false,
      apiBaseUrl: '/api/v1',
      dataDir: expect.stringMatching(/^\/.*\/\.data$/),
      databaseUrl: null,
      databaseOwnerUrl: null,
      databaseDirectUrl: null,
      databaseReadUrls: [],
      preparedStatements: true,
      databasePool: { size: 20, statementTimeoutMs: 8000, lockTimeoutMs: null },
      redisUrl: null,
      seed: { mode: 'demo', members: 500 },
      places: 'large',
      rateLimits: true,
      supportEmail: 'support@heartwood.test',
      securityContact: 'mailto:support@heartwood.test',
      mail: {
        driver: 'outbox',
        smtpUrl: null,
        from: { name: 'Heartwood', address: 'no-reply@heartwood.test' },
        replyTo: null,
        outboxShown: true,
      },
      metricsToken: null,
      telemetry: null,
      trustedProxies: [],
      media: {
        directory: expect.stringMatching(/^\/.*\/\.data\/media$/),
        storage: { driver: 'disk' },
        maxUploadBytes: 10_000_000,
        showsPending: false,
        check: null,
      },
      paging: { url: null, mail: [] },
      payments: {
        provider: 'sandbox',
        trialDays: 0,
        withdrawalCountries: null,
        prices: {
          monthly: { amountMinor: 1499, currency: 'USD' },
          quarterly: { amountMinor: 3597, currency: 'USD' },
          annual: { amountMinor: 11988, currency: 'USD' },
        },
        seller: {
          name: 'Example Demo Ltd',
          address: '1 Example Street, London EC1A 1AA, United Kingdom',
          taxId: 'GB 000 0000 00',
          taxName: 'VAT',
          taxPercent: 20,
        },
      },
      signIn: { google: null, facebook: null, builtIn: true },
      house: null,
      age: { provider: 'off', required: {} },
      staffMfa: false,
      secrets: { jwt: null, media: null, factors: null },
      appLinks: { android: null, apple: null },
      push: {
        privateKey: null,
        subject: 'mailto:support@heartwood.test',
        allowedHosts: expect.arrayContaining(['fcm.googleapis.com', '*.push.apple.com']),
      },
      worker: 'inline',
      workerConcurrency: 4,
      logLevel: 'info',
    });
  });

  test('treats an empty value as unset', () => {
    expect(readConfig({ PORT: '', SEED: ' ', SMTP_URL: '', JWT_SECRET: '' })).toEqual(readConfig({}));
  });
});

describe('a valid variable', () => {
  test.each([
    [{ PORT: '3101' }, { port: 3101, publicUrl: 'http://localhost:3101' }],
    [{ HOST: '0.0.0.0', SEED: 'none' }, { host: '0.0.0.0' }],
    [{ PUBLIC_URL: 'https://dating.example/' }, { publicUrl: 'https://dating.example' }],
    [{ PUBLIC_URL: 'HTTPS://Dating.Example:8443' }, { publicUrl: 'https://dating.example:8443' }],
    [{ API_BASE_URL: 'https://api.dating.example/v1/' }, { apiBaseUrl: 'https://api.dating.example/v1' }],
    [{ API_BASE_URL: '/v2' }, { apiBaseUrl: '/v2' }],
    [{ DATA_DIR: '/srv/heart wood' }, { dataDir: '/srv/heart wood' }],
    [{ RATE_LIMITS: 'off' }, { rateLimits: false }],
    [production, { places: 'all' }],
    [{ ...production, PLACES: 'large' }, { places: 'large' }],
    [{ SUPPORT_EMAIL: 'help@dating.example' }, { supportEmail: 'help@dating.example' }],
    [{ METRICS_TOKEN: 'a-token-of-16-ch' }, { metricsToken: 'a-token-of-16-ch' }],
    [{ TRUSTED_PROXIES: '10.0.0.0/8, ::1,loopback' }, { trustedProxies: ['10.0.0.0/8', '::1', 'loopback'] }],
    ...['uniquelocal', '8.0.0.0/8', 'fc00::/7', 'fe80::/10', '2001:db8::/32', '::1/128', '::ffff:10.0.0.0/104'].map(
      (TRUSTED_PROXIES): [Record<string, string>, object] => [
        { TRUSTED_PROXIES },
        { trustedProxies: [TRUSTED_PROXIES] },
      ],
    ),
    [{ JWT_SECRET: secret }, { secrets: { jwt: secret } }],
    [{ STAFF_MFA: 'on' }, { staffMfa: true }],
    [production, { staffMfa: true }],
    [{ ...production, STAFF_MFA: 'off' }, { staffMfa: false }],
    [{ JWT_SECRET: secret, MEDIA_SECRET: `${secret}!` }, { secrets: { jwt: secret, media: `${secret}!` } }],
    [
      { MEDIA_DIR: '/srv/pictures', MAX_UPLOAD_MB: '5' },
      { media: { directory: '/srv/pictures', maxUploadBytes: 5_000_000 } },
    ],
    [
      { DATA_DIR: '/srv/heart wood', PHOTO_POLICY: 'post' },
      { media: { directory: '/srv/heart wood/media', showsPending: true } },
    ],
    [{}, { age: { provider: 'off', required: {} } }],
    [
      { AGE_PROVIDER: 'https://age.example', AGE_SECRET: secret, AGE_REQUIRED: 'GB:joining, *:never' },
      {
        age: {
          provider: { url: 'https://age.example', secret },
          required: { 'United Kingdom': 'joining', '*': 'never' },
        },
      },
    ],
    [
      { MODERATION_URL: 'https://check.example/v1', MODERATION_SECRET: secret },
      { media: { check: { url: 'https://check.example/v1', secret } } },
    ],
    [
      { PAGER_URL: 'https://pager.example', PAGER_SECRET: secret, PAGER_MAIL: 'a@b.example, Bo <b@b.example>' },
      { paging: { url: { url: 'https://pager.example', secret }, mail: ['a@b.example', 'b@b.example'] } },
    ],
    [
      { WORKER: 'off', WORKER_CONCURRENCY: '8' },
      { worker: 'off', workerConcurrency: 8 },
    ],
    [
      { DATABASE_POOL_SIZE: '40', DATABASE_STATEMENT_TIMEOUT_MS: '5000', DATABASE_LOCK_TIMEOUT_MS: '2000' },
      { databasePool: { size: 40, statementTimeoutMs: 5000, lockTimeoutMs: 2000 } },
    ],
    [{ LOG_LEVEL: 'warn' }, { logLevel: 'warn' }],
    [{ NODE_ENV: 'test' }, { production: false }],
    [production, { production: true }],
  ])('is read: %j', (env, expected) => {
    expect(readConfig(env)).toMatchObject(expected);
  });
});

describe('the system’s certificates for a database', () => {
  test.each(['DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_READ_URL'])('are used by %s', (name) => {
    const env = { DATABASE_URL: 'postgres://a@db/x', [name]: 'postgres://a@db/x?sslrootcert=system' };
    const { databaseUrl, databaseDirectUrl, databaseReadUrls } = readConfig(env);
    const url =
      { DATABASE_URL: databaseUrl, DATABASE_DIRECT_URL: databaseDirectUrl }[name] ?? databaseReadUrls[0] ?? '';
    expect(url).toContain('sslmode=verify-full');
    expect(url).not.toContain('sslrootcert=system');
  });
});

test('commas in the user and password of an address do not separate hosts', () => {
  const databaseUrl = 'postgres://u,v:p,w@db/x';
  const redisUrl = 'redis://:se,cret@cache:6379';
  expect(readConfig({ DATABASE_URL: databaseUrl, REDIS_URL: redisUrl })).toMatchObject({ databaseUrl, redisUrl });
});

describe('demo data', () => {
  const own = { DATABASE_URL: 'postgres://a:b@db.example/heartwood' };
  test.each([
    ['is created by default with the embedded database', {}, 'demo', 500],
    ['is not created in the operator’s own database', own, 'none', 500],
    ['is created in the operator’s own database on request', { ...own, SEED: 'demo' }, 'demo', 500],
    ['is not created when turned off', { SEED: 'none' }, 'none', 500],
    ['has the requested number of members', { SEED_MEMBERS: '1000000' }, 'demo', 1_000_000],
    ['is never created in production by default', production, 'none', 500],
    ['is created in production on request', { ...production, SEED: 'demo' }, 'demo', 500],
  ])('%s', (_name, env, mode, members) => {
    expect(readConfig(env).seed).toEqual({ mode, members });
  });
});

describe('mail', () => {
  const smtp = { SMTP_URL: 'smtps://u:p@mail.example', MAIL_FROM: 'Heartwood <hello@dating.example>' };
  test.each([
    ['stays on the machine and is shown', {}, { driver: 'outbox', outboxShown: true }],
    [
      'is sent as soon as an SMTP server is configured',
      smtp,
      { driver: 'smtp', smtpUrl: smtp.SMTP_URL, outboxShown: false },
    ],
    [
      'stays in the outbox when the outbox is configured',
      { ...smtp, MAIL_DRIVER: 'outbox' },
      { driver: 'outbox', smtpUrl: null },
    ],
    ['is sent in production', production, { driver: 'smtp', smtpUrl: production.SMTP_URL, outboxShown: false }],
    [
      'needs no SMTP server in a process that runs no jobs',
      { ...production, SMTP_URL: '', MAIL_FROM: '', WORKER: 'off' },
      { driver: 'smtp', smtpUrl: null, outboxShown: false },
    ],
    [
      'can have another reply address',
      { MAIL_REPLY_TO: 'desk@dating.example' },
      { replyTo: { name: '', address: 'desk@dating.example' } },
    ],
  ])('%s', (_name, env, expected) => {
    expect(readConfig(env).mail).toMatchObject(expected);
  });
});

const s3 = {
  S3_ENDPOINT: 'https://s3.example',
  S3_REGION: 'eu-west-1',
  S3_BUCKET: 'pictures',
  S3_ACCESS_KEY_ID: 'AKEY',
  S3_SECRET_ACCESS_KEY: 'a-hidden-word',
};

describe('picture storage', () => {
  const kept = {
    driver: 's3',
    endpoint: 'https://s3.example',
    region: 'eu-west-1',
    bucket: 'pictures',
    accessKeyId: 'AKEY',
    secretAccessKey: 'a-hidden-word',
    forcePathStyle: false,
  };
  test.each([
    ['is on disk by default', {}, { driver: 'disk' }],
    ['is S3 as soon as S3 is configured', s3, kept],
    ['is S3 when selected', { ...s3, STORAGE: 's3', S3_ENDPOINT: 'https://s3.example/' }, kept],
    ['is on disk when selected', { ...s3, STORAGE: 'disk' }, { driver: 'disk' }],
    [
      'supports path-style buckets',
      { ...s3, S3_ENDPOINT: 'http://127.0.0.1:9000', S3_FORCE_PATH_STYLE: 'true' },
      { ...kept, endpoint: 'http://127.0.0.1:9000', forcePathStyle: true },
    ],
  ])('%s', (_name, env, expected) => {
    expect(readConfig(env).media.storage).toEqual(expected);
  });
});

describe('pictures in the program’s folder', () => {
  const words = /^pictures and the record of deletions are in the program's folder, in \/.+: stop, move them/;
  test.each([
    ['draw a warning in production', production, words],
    ['draw it for a folder that is named', { ...production, MEDIA_DIR: 'pictures' }, words],
    ['draw it for a bucket that is not used', { ...production, ...s3, STORAGE: 'disk' }, words],
    ['are moved by MEDIA_DIR', { ...production, MEDIA_DIR: '/srv/pictures' }, null],
    ['are moved by DATA_DIR', { ...production, DATA_DIR: '/srv/heartwood' }, null],
    ['are none with a bucket', { ...production, ...s3 }, null],
    ['are usual in development', {}, null],
  ])('%s', (_name, env, expected) => {
    const weakness = weaknessOfPictures(readConfig(env));
    if (expected === null) expect(weakness).toBeNull();
    else expect(weakness).toMatch(expected);
  });
});

const pricesIn = (currency: string) => ({
  PREMIUM_CURRENCY: currency,
  PREMIUM_PRICE_MONTHLY: '100',
  PREMIUM_PRICE_QUARTERLY: '200',
  PREMIUM_PRICE_ANNUAL: '300',
});

describe('payment settings', () => {
  const stripe = {
    STRIPE_SECRET_KEY: 'sk_test_0123456789',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_0123456789',
    STRIPE_WEBHOOK_SECRET: 'whsec_new_0123, whsec_old_0123',
    STRIPE_PRICE_MONTHLY: 'price_monthly',
    STRIPE_PRICE_QUARTERLY: 'price_quarterly',
    STRIPE_PRICE_ANNUAL: 'price_annual',
  };

  test.each([
    [{}, 'sandbox'],
    [{ PAYMENTS_PROVIDER: 'off' }, 'off'],
    [stripe, 'stripe'],
    [{ ...stripe, PAYMENTS_PROVIDER: 'sandbox' }, 'sandbox'],
    [production, 'off'],
    [{ ...production, ...stripe }, 'stripe'],
  ] as const)('given %o select the provider %s', (env, provider) => {
    expect(readConfig({ ...env }).payments.provider).toBe(provider);
  });

  test('accept any number of Stripe webhook secrets', () => {
    const { payments } = readConfig(stripe);
    expect(payments.provider === 'stripe' && payments.webhookSecrets).toEqual(['whsec_new_0123', 'whsec_old_0123']);
  });

  test('hold the configured prices in the smallest currency unit', () => {
    const prices = (currency: string, monthly: string) =>
      readConfig({ ...pricesIn(currency), PREMIUM_PRICE_MONTHLY: monthly }).payments.prices.monthly;
    expect(prices('EUR', '9.9')).toEqual({ amountMinor: 990, currency: 'EUR' });
    expect(prices('JPY', '1480').amountMinor).toBe(1480);
    expect(prices('HUF', '4990').amountMinor).toBe(499_000);
    expect(prices('ISK', '1990').amountMinor).toBe(199_000);
    expect(prices('KWD', '4.50').amountMinor).toBe(4500);
    expect(prices('LBP', '9500000').amountMinor).toBe(950_000_000);
  });

  test('list the missing prices for a currency without default prices', () => {
    expect(() => readConfig({ PREMIUM_CURRENCY: 'JPY' })).toThrow(
      'PREMIUM_CURRENCY is JPY, so these are needed in JPY: PREMIUM_PRICE_MONTHLY, PREMIUM_PRICE_QUARTERLY, PREMIUM_PRICE_ANNUAL.',
    );
    expect(() => readConfig({ ...pricesIn('JPY'), PREMIUM_PRICE_ANNUAL: '' })).toThrow(
      'PREMIUM_CURRENCY is JPY, so this is needed in JPY: PREMIUM_PRICE_ANNUAL.',
    );
  });

  test.each([
    ['JPY', '1500.50', 'PREMIUM_PRICE_MONTHLY is "1500.50", but prices in JPY have no decimals.'],
    ['ISK', '1500.50', 'PREMIUM_PRICE_MONTHLY is "1500.50", but prices in ISK have no decimals.'],
    ['USD', '9.999', 'PREMIUM_PRICE_MONTHLY is "9.999", but prices in USD have at most 2 decimals.'],
    ['KWD', '4.555', 'PREMIUM_PRICE_MONTHLY is "4.555", but prices in KWD have at most 2 decimals.'],
    ['JPY', 'much', 'PREMIUM_PRICE_MONTHLY must be a price such as 1500, but is "much".'],
    ['USD', '0', 'PREMIUM_PRICE_MONTHLY must be a price such as 14.99, but is "0".'],
    ['IDR', '99999999', 'PREMIUM_PRICE_MONTHLY must be a price such as 14.99, but is "99999999".'],
  ])('refuse to round prices in %s: %s is rejected', (currency, price, words) => {
    expect(() => readConfig({ ...pricesIn(currency), PREMIUM_PRICE_MONTHLY: price })).toThrow(words);
  });

  test.each(Object.keys(stripe))('are refused for Stripe without %s', (name) => {
    expect(() => readConfig({ ...stripe, [name]: '' })).toThrow(name);
  });

  test.each([
    [{ PREMIUM_PRICE_ANNUAL: 'much' }, /PREMIUM_PRICE_ANNUAL/],
    [{ PREMIUM_PRICE_MONTHLY: '0' }, /PREMIUM_PRICE_MONTHLY/],
    [{ PREMIUM_CURRENCY: 'usd' }, /PREMIUM_CURRENCY/],
    [{ TRIAL_DAYS: '-1' }, /TRIAL_DAYS/],
    [{ WITHDRAWAL_COUNTRIES: 'DE,Atlantis' }, /WITHDRAWAL_COUNTRIES/],
    [{ PAYMENTS_PROVIDER: 'paypal' }, /PAYMENTS_PROVIDER/],
    [{ ...stripe, STRIPE_WEBHOOK_SECRET: 'whsec_abcdefgh12345,a' }, /^STRIPE_WEBHOOK_SECRET must have at least/],
    [{ ...production, ...stripe, STRIPE_API_BASE: 'http://localhost:1' }, /STRIPE_API_BASE/],
  ])('are rejected with %o', (env, words) => {
    expect(() => readConfig(env)).toThrow(words);
  });
});

describe('an invalid variable', () => {
  test.each([
    [{ NODE_ENV: 'prod' }, /^NODE_ENV must be one of production, development, test, but is "prod"\.$/],
    [{ PORT: '70000' }, /^PORT must be a whole number from 1 to 65535/],
    [{ PORT: '3e3' }, /^PORT /],
    [{ PUBLIC_URL: 'dating.example' }, /^PUBLIC_URL must be an address that begins with http:\/\/ or https:\/\/\.$/],
    [{ API_BASE_URL: '//evil.example' }, /^API_BASE_URL /],
    [{ DATABASE_URL: 'mysql://user:hidden@db/x' }, /^DATABASE_URL (?!.*hidden)/],
    ...['u:p,w@a,b/x', 'a:5432,b:5432/x', 'u:hidden@/x?ssl=true&host=a,b', '/x?host=a%2Cb'].map(
      (after): [Record<string, string>, RegExp] => [
        { DATABASE_URL: `postgres://${after}` },
        /^DATABASE_URL must name one host(?!.*hidden)/,
      ],
    ),
    [{ REDIS_URL: 'redis://a:6379,b:6379' }, /^REDIS_URL must name one host/],
    [
      { DATABASE_URL: 'postgres://db/x', DATABASE_READ_URL: 'postgres://a,b/x' },
      /^DATABASE_READ_URL must be addresses/,
    ],
    [{ DATABASE_OWNER_URL: 'postgres://o@db/x' }, /^DATABASE_OWNER_URL is set, but DATABASE_URL is not\.$/],
    [{ DATABASE_DIRECT_URL: 'postgres://o@db/x' }, /^DATABASE_DIRECT_URL is set, but DATABASE_URL is not\.$/],
    [{ DATABASE_READ_URL: 'postgres://o@db/x' }, /^DATABASE_READ_URL is set, but DATABASE_URL is not\.$/],
    [{ DATABASE_READ_URL: 'postgres://o@db/x, hidden' }, /^DATABASE_READ_URL must be addresses (?!.*hidden)/],
    [
      { DATABASE_URL: 'postgres://u:hidden@db/x?sslrootcert=/nowhere.pem' },
      /^DATABASE_URL cannot be used: (?!.*hidden).*\/nowhere\.pem/,
    ],
    [
      { DATABASE_URL: 'postgres://db/x', DATABASE_READ_URL: 'postgres://db/x,postgres://db/x?sslcert=/nowhere.crt' },
      /^DATABASE_READ_URL cannot be used: .*\/nowhere\.crt/,
    ],
    [
      { DATABASE_URL: 'postgres://db/x?uselibpqcompat=true&sslmode=verify-ca' },
      /^DATABASE_URL cannot be used: .*sslrootcert/,
    ],
    [{ DATABASE_URL: 'postgres://db/x?sslrootcert=system&sslmode=disable' }, /^DATABASE_URL .*sslmode=verify-full\.$/],
    [{ PREPARED_STATEMENTS: 'no' }, /^PREPARED_STATEMENTS must be one of on, off/],
    [{ OTEL_TRACES_SAMPLER_ARG: '2' }, /^OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1/],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, /^OTEL_EXPORTER_OTLP_ENDPOINT/],
    [{ SEED: 'yes' }, /^SEED must be one of demo, none/],
    [{ SEED_MEMBERS: '-1' }, /^SEED_MEMBERS /],
    [{ SEED_MEMBERS: '0' }, /^SEED_MEMBERS /],
    [{ RATE_LIMITS: 'false' }, /^RATE_LIMITS must be one of on, off/],
    [{ ...production, RATE_LIMITS: 'off' }, /^RATE_LIMITS=off is refused when NODE_ENV is production: /],
    [{ SUPPORT_EMAIL: 'nobody' }, /^SUPPORT_EMAIL /],
    [{ METRICS_TOKEN: 'short' }, /^METRICS_TOKEN (?!.*short)/],
    [{ TRUSTED_PROXIES: 'true' }, /^TRUSTED_PROXIES /],
    [{ TRUSTED_PROXIES: '10.0.0.0/33' }, /^TRUSTED_PROXIES /],
    ...[
      'all',
      '*',
      '0.0.0.0/0',
      '::/0',
      '10.0.0.0/8, 0.0.0.0/0',
      '0.0.0.0/1,128.0.0.0/1',
      '64.0.0.0/2',
      '2000::/3',
    ].map((TRUSTED_PROXIES): [Record<string, string>, RegExp] => [{ TRUSTED_PROXIES }, /^TRUSTED_PROXIES /]),
    ...[
      '::/64',
      '::ffff:0:0/96',
      '::ffff:0.0.0.0/97',
      'f000::/4',
      '2002::/16',
      '64:ff9b::/96',
      'fe80::/7',
      Array.from({ length: 32 }, (_, at) => `${at * 8}.0.0.0/8`).join(),
    ].map((TRUSTED_PROXIES): [Record<string, string>, RegExp] => [
      { TRUSTED_PROXIES },
      /^TRUSTED_PROXIES would trust /,
    ]),
    [{ JWT_SECRET: 'too-short' }, /^JWT_SECRET must have at least 32 characters(?!.*too-short)/],
    [{ ...production, JWT_SECRET: '' }, /^JWT_SECRET is required when NODE_ENV is production/],
    [{ MAIL_DRIVER: 'post' }, /^MAIL_DRIVER must be one of outbox, smtp/],
    [{ MAIL_DRIVER: 'smtp' }, /SMTP_URL is not set/],
    [{ ...production, SMTP_URL: '' }, /SMTP_URL is not set/],
    [{ ...production, MAIL_FROM: '' }, /MAIL_FROM is not set\.$/],
    [{ ...production, PUBLIC_URL: '' }, /^PUBLIC_URL, .* is required/],
    [{ ...production, SUPPORT_EMAIL: '' }, /^SUPPORT_EMAIL, .* is required when NODE_ENV is production\.$/],
    [{ ...production, SUPPORT_EMAIL: 'support@heartwood.test' }, /^SUPPORT_EMAIL is a placeholder/],
    [{ ...production, SUPPORT_EMAIL: 'Help <help@Heartwood.TEST>' }, /^SUPPORT_EMAIL is a placeholder/],
    [{ ...production, SECURITY_CONTACT: 'mailto:security@heartwood.test' }, /^SECURITY_CONTACT is a placeholder/],
    [{ ...production, VAPID_SUBJECT: 'mailto:push@heartwood.invalid' }, /^VAPID_SUBJECT is a placeholder/],
    [{ ...production, MAIL_FROM: 'Heartwood <no-reply@heartwood.test>' }, /^MAIL_FROM is a placeholder/],
    [
      { NODE_ENV: 'production' },
      /^These settings are required .* not set: PUBLIC_URL, JWT_SECRET, SUPPORT_EMAIL, SMTP_URL, MAIL_FROM\. /,
    ],
    [{ NODE_ENV: 'production', WORKER: 'off' }, /not set: PUBLIC_URL, JWT_SECRET, SUPPORT_EMAIL\. /],
    [{ SMTP_URL: 'smtp://mail.example' }, /MAIL_FROM is not set\.$/],
    [{ SMTP_URL: 'smtp://mail.example/inbox', MAIL_FROM: 'a@b.example' }, /^SMTP_URL must be a host/],
    ...['PUBLIC_URL', 'STRIPE_API_BASE'].flatMap((name) =>
      [
        'https://dating.example/heart',
        'https://dating.example/heart/',
        'https://dating.example?from=mail',
        'https://dating.example/?',
        'https://dating.example/#top',
        'https://rosa:hidden@dating.example',
        'https://dating.example\\heart',
      ].map((value): [Record<string, string>, RegExp] => [
        { PAYMENTS_PROVIDER: 'stripe', [name]: value },
        new RegExp(`^${name} must be a scheme and a host(?!.*(hidden|heart))`),
      ]),
    ),
    ...['API_BASE_URL', 'S3_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT', 'FACEBOOK_GRAPH_URL'].flatMap((name) =>
      ['https://it.example/v1?key=hidden', 'https://it.example/v1#hidden', 'https://me:hidden@it.example/v1'].map(
        (value): [Record<string, string>, RegExp] => [
          { ...s3, FACEBOOK_APP_ID: '1', FACEBOOK_APP_SECRET: secret, [name]: value },
          new RegExp(`^${name} must be a URL without a user name, a \\? or a #\\.$`),
        ],
      ),
    ),
    ...['/v1?key=1', '/v1#top', '/v1"><script>', '/v 1'].map((value): [Record<string, string>, RegExp] => [
      { API_BASE_URL: value },
      /^API_BASE_URL must be a path/,
    ]),
    [{ SMTP_URL: 'mail.example', MAIL_FROM: 'a@b.example' }, /^SMTP_URL /],
    [{ SMTP_URL: 'smtp://mail.example', MAIL_FROM: 'a@b.example\r\nBcc: c@d.example' }, /^MAIL_FROM /],
    [{ MAIL_REPLY_TO: 'a@b.example, c@d.example' }, /^MAIL_REPLY_TO /],
    [{ MAX_UPLOAD_MB: '0' }, /^MAX_UPLOAD_MB /],
    ...['/srv/heart\nwood', '/srv/heart\twood', '/srv/heart\u007fwood'].map(
      (DATA_DIR): [Record<string, string>, RegExp] => [{ DATA_DIR }, /^DATA_DIR must be a folder without a line break/],
    ),
    [{ PHOTO_POLICY: 'later' }, /^PHOTO_POLICY must be one of review, post/],
    [{ MEDIA_SECRET: 'short' }, /^MEDIA_SECRET (?!.*short)/],
    [{ MODERATION_URL: 'https://check.example' }, /MODERATION_SECRET/],
    [{ PAGER_URL: 'https://pager.example' }, /PAGER_SECRET/],
    [{ PAGER_MAIL: 'a@b.example,c' }, /PAGER_MAIL/],
    [{ AGE_PROVIDER: 'https://age.example' }, /AGE_SECRET/],
    [{ AGE_PROVIDER: 'on' }, /^AGE_PROVIDER must be one of off, double/],
    [{ AGE_REQUIRED: 'GB:joining' }, /^AGE_REQUIRED is set, but AGE_PROVIDER/],
    ...['GB', 'GB:later', 'ZZ:joining', 'GB:joining:never'].map((AGE_REQUIRED): [Record<string, string>, RegExp] => [
      { AGE_PROVIDER: 'double', AGE_REQUIRED },
      /^AGE_REQUIRED must be countries with joining, first-message, never/,
    ]),
    [{ STORAGE: 'cloud' }, /^STORAGE must be one of disk, s3/],
    [{ STORAGE: 's3' }, /S3_ENDPOINT is not set\.$/],
    ...Object.keys(s3).map((name): [Record<string, string>, RegExp] => [
      { ...s3, [name]: '' },
      new RegExp(`^Pictures are stored in S3, but ${name} is not set\\.$(?!.*hidden)`),
    ]),
    [{ ...s3, S3_ENDPOINT: 's3.example' }, /^S3_ENDPOINT /],
    [{ ...s3, S3_ENDPOINT: 'https://me:hidden@s3.example' }, /^S3_ENDPOINT (?!.*hidden)/],
    [{ ...s3, S3_ENDPOINT: 'http://127.0.0.1:9000' }, /S3_FORCE_PATH_STYLE/],
    [{ ...s3, S3_BUCKET: '../pictures' }, /^S3_BUCKET /],
    [{ ...s3, S3_FORCE_PATH_STYLE: 'yes' }, /^S3_FORCE_PATH_STYLE must be one of true, false/],
    [{ VAPID_PRIVATE_KEY: 'x' }, /^VAPID_PRIVATE_KEY is set, but VAPID_PUBLIC_KEY is not\.$/],
    [{ VAPID_PUBLIC_KEY: 'x' }, /^VAPID_PUBLIC_KEY is set, but VAPID_PRIVATE_KEY is not\.$/],
    [{ VAPID_PUBLIC_KEY: 'x', VAPID_PRIVATE_KEY: 'hidden' }, /^VAPID_PUBLIC_KEY (?!.*hidden)/],
    [{ VAPID_SUBJECT: 'nobody' }, /^VAPID_SUBJECT /],
    [{ ANDROID_APP_PACKAGE: 'org.example.dating' }, /but ANDROID_APP_FINGERPRINTS is not\.$/],
    [{ ANDROID_APP_FINGERPRINTS: 'AB:CD' }, /but ANDROID_APP_PACKAGE is not\.$/],
    [
      { ANDROID_APP_PACKAGE: 'dating', ANDROID_APP_FINGERPRINTS: 'AB:CD' },
      /^ANDROID_APP_PACKAGE must be a package name/,
    ],
    [{ ANDROID_APP_PACKAGE: 'a.b', ANDROID_APP_FINGERPRINTS: 'AB:CD' }, /^ANDROID_APP_FINGERPRINTS must be SHA-256/],
    [{ APPLE_APP_IDS: 'org.example.dating' }, /^APPLE_APP_IDS must be team and bundle ids/],
    [{ SECURITY_CONTACT: 'help@dating.example' }, /^SECURITY_CONTACT must begin with mailto: or https:\/\/\.$/],
    [{ PUSH_ALLOWED_HOSTS: 'https://push.example' }, /^PUSH_ALLOWED_HOSTS /],
    [{ WORKER: 'on' }, /^WORKER must be one of inline, off/],
    [{ WORKER_CONCURRENCY: '0' }, /^WORKER_CONCURRENCY /],
    [{ DATABASE_POOL_SIZE: '1' }, /^DATABASE_POOL_SIZE /],
    [{ DATABASE_LOCK_TIMEOUT_MS: '9000' }, /^DATABASE_LOCK_TIMEOUT_MS /],
    [{ LOG_LEVEL: 'loud' }, /^LOG_LEVEL /],
  ])('stops the start with a message that names it: %j', (env, words) => {
    expect(() => readConfig(env)).toThrow(ConfigError);
    expect(() => readConfig(env)).toThrow(words);
  });
});

describe('the secret for second factors', () => {
  test('defaults to the token secret; setting it lets the token secret change', () => {
    const { factors } = readConfig({ JWT_SECRET: secret }).secrets;
    expect(factors).not.toBeNull();
    expect(factors).not.toContain(secret);
    const renewed = readConfig({ JWT_SECRET: `${secret}, renewed`, FACTOR_SECRET: secret });
    expect(renewed.secrets.factors).toBe(factors);
    expect(() => readConfig({ FACTOR_SECRET: 'short' })).toThrow(ConfigError);
  });
});
