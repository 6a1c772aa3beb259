import { readFileSync } from 'node:fs';
import { ConfigError, type Environment, read } from './values.ts';

/**
 * Every setting with a secret: `chosen` by the operator, who could choose badly; `given` by a provider; or an `address`
 * that may contain a password.
 */
export const secretSettings: Record<string, 'chosen' | 'given' | 'address'> = {
  JWT_SECRET: 'chosen',
  MEDIA_SECRET: 'chosen',
  FACTOR_SECRET: 'chosen',
  MODERATION_SECRET: 'chosen',
  PAGER_SECRET: 'chosen',
  AGE_SECRET: 'chosen',
  METRICS_TOKEN: 'chosen',
  GOOGLE_CLIENT_SECRET: 'given',
  FACEBOOK_APP_SECRET: 'given',
  STAFF_OIDC_CLIENT_SECRET: 'given',
  STRIPE_SECRET_KEY: 'given',
  STRIPE_PUBLISHABLE_KEY: 'given',
  STRIPE_WEBHOOK_SECRET: 'given',
  S3_ACCESS_KEY_ID: 'given',
  S3_SECRET_ACCESS_KEY: 'given',
  VAPID_PRIVATE_KEY: 'given',
  DATABASE_URL: 'address',
  DATABASE_OWNER_URL: 'address',
  DATABASE_DIRECT_URL: 'address',
  DATABASE_READ_URL: 'address',
  REDIS_URL: 'address',
  SMTP_URL: 'address',
  MODERATION_URL: 'address',
  PAGER_URL: 'address',
  AGE_PROVIDER: 'address',
};

/**
 * The environment with each secret that is in a file, such as a mounted one: `JWT_SECRET_FILE` names the file with the
 * value of `JWT_SECRET`. Throws `ConfigError` if both are set, or if the file can't be read or is empty.
 */
export function withSecretFiles(env: Environment): Environment {
  const found = Object.keys(secretSettings).flatMap((name) => {
    const file = read(env, `${name}_FILE`);
    if (file === undefined) return [];
    if (read(env, name) !== undefined)
      throw new ConfigError(`${name} and ${name}_FILE are both set: leave one of them out.`);
    return [[name, secretIn(name, file)]];
  });
  return { ...env, ...(Object.fromEntries(found) as Environment) };
}

function secretIn(name: string, file: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8').trim();
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw new ConfigError(`${name}_FILE names a file that can't be read (${code}).`);
  }
  if (text === '') throw new ConfigError(`${name}_FILE names a file that is empty.`);
  return text;
}
