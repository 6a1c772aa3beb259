import { ConfigError, contact, read, type Environment } from './values.ts';
import { createECDH } from 'node:crypto';

const vendors = ['fcm.googleapis.com', '*.push.services.mozilla.com', '*.notify.windows.com', '*.push.apple.com'];

/** The push configuration; throws `ConfigError` if only one of the two keys is set, or they do not match. */
export function readPush(env: Environment, supportEmail: string) {
  const [privateKey, publicKey] = [read(env, 'VAPID_PRIVATE_KEY'), read(env, 'VAPID_PUBLIC_KEY')];
  if ((privateKey === undefined) !== (publicKey === undefined))
    throw new ConfigError(
      `VAPID_${privateKey === undefined ? 'PUBLIC' : 'PRIVATE'}_KEY is set, but VAPID_${privateKey === undefined ? 'PRIVATE' : 'PUBLIC'}_KEY is not.`,
    );
  if (privateKey !== undefined && !isPair(privateKey, publicKey ?? ''))
    throw new ConfigError('VAPID_PUBLIC_KEY is not the public half of VAPID_PRIVATE_KEY.');
  const subject = contact(env, 'VAPID_SUBJECT') ?? `mailto:${supportEmail}`;
  const hosts = read(env, 'PUSH_ALLOWED_HOSTS')?.split(',') ?? vendors;
  const allowedHosts = hosts.map((host) => host.trim().toLowerCase()).filter((host) => host !== '');
  for (const host of allowedHosts)
    if (!/^(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*(:\d{1,5})?$/.test(host))
      throw new ConfigError(`PUSH_ALLOWED_HOSTS must be a comma list of hosts, but one entry is "${host}".`);
  return {
    /**
     * Null for a key that is generated once and stored in the table `secret`. Changing it invalidates all push
     * subscriptions.
     */
    privateKey: privateKey ?? null,
    /** How vendors can contact the operator: a mailto: or https: URL. */
    subject,
    /** Hosts of browser vendors; `*.` matches any subdomain. */
    allowedHosts,
  };
}

export type PushConfig = ReturnType<typeof readPush>;

function isPair(privateKey: string, publicKey: string): boolean {
  try {
    return publicKeyOf(privateKey) === publicKey.replace(/=+$/, '');
  } catch {
    return false;
  }
}

/** The public half of a private P-256 key, both base64url; throws if it is invalid. */
export function publicKeyOf(privateKey: string): string {
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(Buffer.from(privateKey, 'base64url'));
  return pair.getPublicKey('base64url', 'uncompressed');
}
