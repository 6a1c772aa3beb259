import { describe, expect, it } from 'vitest';
import { production } from '../../../test/production.ts';
import { readConfig } from './config.ts';

const s3 = { S3_REGION: 'eu', S3_BUCKET: 'pictures', S3_ACCESS_KEY_ID: 'AKEY', S3_SECRET_ACCESS_KEY: 'word' };
const check = { MODERATION_SECRET: production.JWT_SECRET };
const pager = { PAGER_SECRET: production.JWT_SECRET };

/** Which development features exist, and whether staff need a second factor. */
const doors = (env: Record<string, string>) => {
  const { mail, signIn, payments, staffMfa } = readConfig(env);
  return { outbox: mail.outboxShown, issuer: signIn.builtIn, sandbox: payments.provider === 'sandbox', staffMfa };
};

describe('development features', () => {
  const open = { outbox: true, issuer: true, sandbox: true, staffMfa: false };
  const closed = { outbox: false, issuer: false, sandbox: false, staffMfa: true };
  const named = { MAIL_DRIVER: 'outbox', SIGN_IN_ISSUER: 'built-in', PAYMENTS_PROVIDER: 'sandbox', STAFF_MFA: 'off' };

  it.each(['127.0.0.1', '127.0.0.2', '::1', 'localhost'])('are available on %s', (HOST) => {
    expect(doors({ HOST })).toEqual(open);
  });

  it.each(['0.0.0.0', '::', '192.168.1.5', '203.0.113.9', 'heartwood.example'])('are turned off on %s', (HOST) => {
    expect(doors({ HOST, SEED: 'none' })).toEqual(closed);
    expect(doors({ HOST, DATABASE_URL: 'postgres://a:b@db/heartwood' })).toEqual(closed);
  });

  it('are available on every address when enabled explicitly', () => {
    expect(doors({ HOST: '0.0.0.0', SEED: 'none', ...named })).toEqual(open);
  });

  it('are turned off in production', () => {
    expect(doors(production)).toEqual(closed);
  });

  it.each(['MAIL_DRIVER=outbox', 'SIGN_IN_ISSUER=built-in', 'PAYMENTS_PROVIDER=sandbox'])(
    'stop a production start with %s',
    (setting) => {
      const [name = '', value = ''] = setting.split('=');
      const env = { ...production, [name]: value };
      expect(() => readConfig(env)).toThrow(
        new RegExp(`^${setting} is refused when NODE_ENV is production: [^.]+\\.$`),
      );
    },
  );
});

describe('demo accounts', () => {
  it('are refused where others can reach the server, unless requested', () => {
    expect(() => readConfig({ HOST: '0.0.0.0' })).toThrow(/^HOST .*SEED=demo/);
    expect(readConfig({ HOST: '0.0.0.0', SEED: 'demo' }).seed.mode).toBe('demo');
  });
});

describe('an unencrypted URL', () => {
  const addresses: [string, Record<string, string>, (host: string) => string, string][] = [
    ['PUBLIC_URL', {}, (host) => `http://${host}`, 'https://dating.example'],
    ['API_BASE_URL', {}, (host) => `http://${host}/v1`, 'https://dating.example/v1'],
    ['SMTP_URL', {}, (host) => `smtp://u:p@${host}:587`, 'smtp://u:p@mail.example:587?requireTLS=true'],
    [
      'SMTP_URL',
      {},
      (host) => `smtps://u:p@${host}?tls.rejectUnauthorized=false`,
      'smtps://u:p@mail.example?tls.rejectUnauthorized=true',
    ],
    ['REDIS_URL', {}, (host) => `redis://${host}`, 'rediss://redis.example'],
    ['S3_ENDPOINT', { ...s3, S3_FORCE_PATH_STYLE: 'true' }, (host) => `http://${host}`, 'https://s3.example'],
    ['PAGER_URL', pager, (host) => `http://${host}`, 'https://pager.example'],
    ['MODERATION_URL', check, (host) => `http://${host}`, 'https://check.example'],
    ['DATABASE_URL', {}, (host) => `postgres://a:b@${host}/h`, 'postgres://a:b@db.example/h?sslmode=verify-full'],
    ['DATABASE_URL', {}, (host) => `postgres://a:b@${host}/h?sslmode=disable`, 'postgres://a:b@db.example/h?ssl=true'],
    [
      'DATABASE_URL',
      {},
      (host) => `postgres://a:b@${host}/h?sslmode=no-verify`,
      'postgres://a:b@db.example/h?sslmode=require',
    ],
    [
      'DATABASE_URL',
      {},
      (host) => `postgres://a:b@${host}/h?uselibpqcompat=true&sslmode=require`,
      'postgres://a:b@db.example/h?uselibpqcompat=true&sslmode=verify-full',
    ],
    [
      'DATABASE_URL',
      {},
      (host) => `postgres://a:b@${host}/h?ssl=true&sslmode=disable`,
      'postgres://a:b@db.example/h?ssl=true',
    ],
    [
      'DATABASE_OWNER_URL',
      { DATABASE_URL: 'postgres://a:b@db/h' },
      (host) => `postgres://a:b@${host}/h`,
      'postgres://a:b@db.example/h?sslrootcert=system',
    ],
    [
      'DATABASE_READ_URL',
      { DATABASE_URL: 'postgres://a:b@db/h' },
      (host) => `postgres://a:b@db/h, postgres://a:b@${host}/h`,
      'postgres://a:b@db.example/h?sslmode=verify-full',
    ],
    ['DATABASE_URL', {}, (host) => `postgres://a:b@localhost/h?host=${host}`, 'postgres://a:b@localhost/h?host=/run'],
  ];

  it.each(addresses)('in %s is refused in production unless allowed', (name, others, clearAt, encrypted) => {
    const env = { ...production, ...others };
    for (const host of ['public.example', '203.0.113.9']) {
      const clear = { ...env, [name]: clearAt(host) };
      expect(() => readConfig(clear)).toThrow(new RegExp(`^${name} is not encrypted.*ALLOW_CLEAR_TEXT`));
      expect(() => readConfig({ ...clear, ALLOW_CLEAR_TEXT: 'on' })).not.toThrow();
      expect(() => readConfig({ ...clear, NODE_ENV: 'development' })).not.toThrow();
    }
    expect(() => readConfig({ ...env, [name]: encrypted })).not.toThrow();
  });

  it.each(addresses)('in %s is accepted on this machine and in private networks', (name, others, clearAt) => {
    for (const host of ['localhost', '127.0.0.1', '10.1.2.3', '192.168.0.9', '[fd00::1]', 'redis', 'db.internal']) {
      expect(() => readConfig({ ...production, ...others, [name]: clearAt(host) }), host).not.toThrow();
    }
  });

  it('is reported without its password', () => {
    const env = { ...production, DATABASE_URL: 'postgres://a:hidden@db.example/h' };
    expect(() => readConfig(env)).toThrow(/^DATABASE_URL (?!.*hidden)/);
  });
});
