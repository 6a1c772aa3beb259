import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { production } from '../../../test/production.ts';
import { readConfig, readMigrationConfig } from './config.ts';
import { secretSettings } from './secret-settings.ts';

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
  const given = new RegExp(`\\b(${Object.keys(secretSettings).join('|')})(?:=|: )(['"]?)([^\\s'"]+)`, 'g');
  return files.flatMap((path) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(given)]
      .map(([, name = '', , value = '']): [string, string, string] => [path, name, value.replace(/`.*$/, '')])
      // Excludes values that a shell or Compose fills in.
      .filter(
        ([, name, value]) =>
          value !== '' && !value.includes('$') && (secretSettings[name] !== 'address' || /:[^/@]+@/.test(value)),
      ),
  );
}

const namesOf = (kind: string) => Object.keys(secretSettings).filter((name) => secretSettings[name] === kind);

describe('the list of secrets', () => {
  it('contains every setting that the configuration reads as a secret, or as an address that may have a password', () => {
    const folder = import.meta.dirname;
    const sources = readdirSync(folder).filter((file) => /(?<!\.test)\.ts$/.test(file));
    const text = sources.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n');
    const named = [...text.matchAll(/'([A-Z][A-Z0-9_]*(?:SECRET|TOKEN|PASSWORD|KEY)[A-Z0-9_]*)'/g)];
    const addresses = [...text.matchAll(/\baddress(?:es)?\(env, '([A-Z_]+)'/g)];
    const read = new Set([...named, ...addresses].map(([, name = '']) => name));
    const isPublic = (name: string) =>
      /^(VAPID_PUBLIC_KEY|(GOOGLE|FACEBOOK)_\w+_URL|(GOOGLE|STAFF_OIDC)_ISSUER|STAFF_PASSWORD_OWNER)$/.test(name);
    expect([...read].filter((name) => !isPublic(name) && !(name in secretSettings))).toEqual([]);
    expect(read.size).toBeGreaterThan(20);
  });
});

describe('a secret in a file', () => {
  const file = (text: string) => {
    const path = join(mkdtempSync(join(tmpdir(), 'heartwood-secret-')), 'secret');
    writeFileSync(path, text);
    return path;
  };
  const chosen = 'f7c1e55a90d3f4e8b62c7a1d9f0e3840';

  it('replaces the setting, and passes the same checks', () => {
    const { SMTP_URL: _, JWT_SECRET: __, ...others } = production;
    const files = { JWT_SECRET_FILE: file(`${chosen}\n`), SMTP_URL_FILE: file('smtps://u:k3Vq9wLd@mail.internal\n') };
    expect(readConfig({ ...others, ...files })).toMatchObject({
      secrets: { jwt: chosen },
      mail: { smtpUrl: 'smtps://u:k3Vq9wLd@mail.internal' },
    });
    expect(readMigrationConfig({ DATABASE_URL_FILE: file('postgres://h@db/h') }).databaseUrl).toBe('postgres://h@db/h');
  });

  it.each(Object.keys(secretSettings))(
    '%s_FILE is refused if it names a missing file, an empty one or a placeholder',
    (name) => {
      const env = { ...production, DATABASE_URL: '', DATABASE_OWNER_URL: '', [name]: '' };
      const refusal = (path: string) => {
        try {
          readConfig({ ...env, [`${name}_FILE`]: path });
          return 'accepted';
        } catch (error) {
          return (error as Error).message;
        }
      };
      expect(refusal('/nowhere/secret')).toBe(`${name}_FILE names a file that can't be read (ENOENT).`);
      expect(refusal(file(' \n'))).toBe(`${name}_FILE names a file that is empty.`);
      const isAddress = secretSettings[name] === 'address';
      const protocol = name.startsWith('DATABASE') ? 'postgres' : name === 'SMTP_URL' ? 'smtps' : 'https';
      const placeholder = file(
        isAddress ? `${protocol}://u:changeme@db.internal/h` : 'change-me-change-me-change-me-1234',
      );
      const others =
        name.startsWith('DATABASE_') && name !== 'DATABASE_URL' ? { DATABASE_URL: 'postgres://h@db/h' } : {};
      Object.assign(env, others);
      expect(refusal(placeholder)).toMatch(new RegExp(`^${name} (still contains the placeholder|must be an address)`));
      expect(() => readConfig({ ...env, [name]: 'x', [`${name}_FILE`]: placeholder })).toThrow(
        `${name} and ${name}_FILE are both set`,
      );
    },
  );
});

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
    ['PAGER_URL', 'https://u:changeme@pager.internal/'],
    ['AGE_PROVIDER', 'https://u:changeme@age.internal/'],
  ])('are refused as a placeholder: %s=%s', (name, value) => {
    const env = { DATABASE_URL: 'postgres://a:b7h3q@db/h', [name]: value };
    expect(() => start(env)).toThrow(`${name} still contains the placeholder of an example: replace it`);
    expect(() => readConfig({ ...env, NODE_ENV: 'development' })).not.toThrow(/placeholder/);
  });

  it.each(namesOf('chosen'))('are refused if %s has few different characters or repeats one text', (name) => {
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
  });

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
