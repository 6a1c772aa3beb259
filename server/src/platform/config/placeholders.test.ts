import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { production } from '../../../test/production.ts';
import { readConfig } from './config.ts';
import { addressSettings, secretSettings } from './placeholders.ts';

const root = resolve(import.meta.dirname, '../../../..');
const start = (env: Record<string, string>) => readConfig({ ...production, ...env });

/**
 * The values that our documents and example files give for secrets, and for addresses with a password: file, setting,
 * value.
 */
function examples(): [string, string, string][] {
  const below = ['deploy', 'docs'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
  );
  const files = ['README.md', 'CONTRIBUTING.md', ...below].filter((path) =>
    /\.(md|ya?ml|example|service|sh)$/.test(path),
  );
  const given = new RegExp(`\\b(${[...secretSettings, ...addressSettings].join('|')})(?:=|: )(['"]?)([^\\s'"]+)`, 'g');
  return files.flatMap((path) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(given)]
      .map(([, name = '', , value = '']): [string, string, string] => [path, name, value.replace(/`.*$/, '')])
      // Excludes values that a shell or Compose fills in.
      .filter(
        ([, name, value]) =>
          value !== '' && !value.includes('$') && (secretSettings.includes(name) || /:[^/@]+@/.test(value)),
      ),
  );
}

describe('production secrets', () => {
  it('are refused if they are placeholders from our documents or example files', () => {
    const found = examples();
    expect(found.map(([path]) => path)).toEqual(
      expect.arrayContaining(['docs/operating.md', 'deploy/systemd/serve.example', 'deploy/systemd/worker.example']),
    );
    for (const [path, name, value] of found) {
      const others = name.startsWith('DATABASE_') ? { DATABASE_URL: 'postgres://heartwood@db/heartwood' } : {};
      expect(() => start({ ...others, [name]: value }), `${name}=${value} of ${path}`).toThrow(
        `${name} still contains the placeholder`,
      );
    }
  });

  it.each([
    ['MEDIA_SECRET', 'change-me-change-me-change-me-1234567'],
    ['JWT_SECRET', 'your-256-bit-secret-of-32-characters'],
    ['METRICS_TOKEN', 'placeholder-0123456789'],
    ['STRIPE_SECRET_KEY', 'sk_live_replace_me'],
    ['STRIPE_SECRET_KEY', '…'],
    ['S3_SECRET_ACCESS_KEY', 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'],
    ['FACEBOOK_APP_SECRET', 'xxxxxxxxxxxxxxxx'],
    ['JWT_SECRET', '$(openssl rand -hex 32 | tr -d x)'],
    ['JWT_SECRET', '${JWT_SECRET_OF_THE_PRODUCTION_ENV}'],
    ['JWT_SECRET', 'insert-a-random-secret-here-of-32-chars'],
    ['JWT_SECRET', 'todo-set-a-long-random-secret-value'],
    ['JWT_SECRET', 'dev-only-secret-do-not-use-in-production'],
    ['STRIPE_SECRET_KEY', 'sk_live_...'],
    ['STRIPE_SECRET_KEY', 'sk_live_xxxxxxxxxxxx'],
    ['S3_SECRET_ACCESS_KEY', 'minioadmin'],
    ['DATABASE_OWNER_URL', 'postgres://postgres:postgres@db/h'],
    ['REDIS_URL', 'redis://:changeme@redis'],
    ['DATABASE_READ_URL', 'postgres://a:b7h3q@db/h, postgres://a:password@replica/h'],
    ['DATABASE_URL', 'postgres://db/h?password=secret'],
  ])('are refused as a placeholder: %s=%s', (name, value) => {
    const env = { DATABASE_URL: 'postgres://a:b7h3q@db/h', [name]: value };
    expect(() => start(env)).toThrow(`${name} still contains the placeholder of an example: replace it`);
    expect(() => readConfig({ ...env, NODE_ENV: 'development' })).not.toThrow(/placeholder/);
  });

  it.each(['JWT_SECRET', 'MEDIA_SECRET', 'FACTOR_SECRET', 'MODERATION_SECRET', 'PAGER_SECRET', 'METRICS_TOKEN'])(
    'are refused if %s has few different characters or repeats one text',
    (name) => {
      for (const value of [
        'a1'.repeat(20),
        '0123456780'.repeat(4),
        'abcdefghijklmnop'.repeat(2),
        '1122334455667788'.repeat(3),
        'abcdefghijklmnopqrstuvwxyz0123456789',
        '12345678901234567890123456789012x',
        'super-secret-jwt-key-for-heartwood-prod',
      ])
        expect(() => start({ [name]: value }), value).toThrow(new RegExp(`^${name} can be guessed: (?!.*${value})`));
    },
  );

  it.each([
    ['JWT_SECRET', '0b7c1e55a90d3f4e8b62c7a1d9f0e384'],
    ['JWT_SECRET', 'nW3pX0bJt8Q2yV7mKc5RzLh1sGd9FaEu6TiOxBvN4Yw='],
    ['JWT_SECRET', 'correct horse battery staple of a purple river'],
    ['METRICS_TOKEN', '4f2a90c1d7e3b586'],
    ['REDIS_URL', 'redis://:4f2a90c1d7e3b586@redis'],
    ['DATABASE_URL', 'postgres://heartwood:p%40ssw%2Frd9@db/heartwood'],
  ])('are accepted: %s=%s', (name, value) => {
    expect(() => start({ [name]: value })).not.toThrow();
  });
});
