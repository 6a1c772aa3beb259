import { ConfigError, read, type Environment } from './values.ts';

const packageName = /^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+$/i;
const fingerprint = /^([0-9A-F]{2}:){31}[0-9A-F]{2}$/;
const appId = /^[A-Z0-9]{10}\.[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/;

const listed = (env: Environment, name: string) =>
  (read(env, name) ?? '').split(',').flatMap((value) => value.trim() || []);

/** The apps that may open this service's links; null without one. Throws `ConfigError` for values that phones would not accept. */
export function readAppLinks(env: Environment) {
  return { android: readAndroid(env), apple: readApple(env) };
}

export type AppLinks = ReturnType<typeof readAppLinks>;

function readAndroid(env: Environment) {
  const app = read(env, 'ANDROID_APP_PACKAGE');
  const fingerprints = listed(env, 'ANDROID_APP_FINGERPRINTS').map((one) => one.toUpperCase());
  if (app === undefined && fingerprints.length === 0) return null;
  if (app === undefined) throw new ConfigError('ANDROID_APP_FINGERPRINTS is set, but ANDROID_APP_PACKAGE is not.');
  if (fingerprints.length === 0)
    throw new ConfigError('ANDROID_APP_PACKAGE is set, but ANDROID_APP_FINGERPRINTS is not.');
  if (!packageName.test(app))
    throw new ConfigError(`ANDROID_APP_PACKAGE must be a package name such as org.example.dating, but is "${app}".`);
  if (!fingerprints.every((one) => fingerprint.test(one)))
    throw new ConfigError(
      'ANDROID_APP_FINGERPRINTS must be SHA-256 fingerprints of the signing certificates: 32 pairs of hexadecimal digits with colons, and commas between several.',
    );
  return { packageName: app, fingerprints };
}

function readApple(env: Environment) {
  const ids = listed(env, 'APPLE_APP_IDS');
  if (ids.length === 0) return null;
  const wrong = ids.find((id) => !appId.test(id));
  if (wrong !== undefined)
    throw new ConfigError(
      `APPLE_APP_IDS must be team and bundle ids such as ABCDE12345.org.example.dating, with commas between several, but one is "${wrong}".`,
    );
  return { appIds: ids };
}
