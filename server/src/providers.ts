import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Feature } from './feature.ts';
import type { Identities } from './deps.ts';
import { createFacebook } from './features/auth/identity/providers/facebook.ts';
import { createGoogle } from './features/auth/identity/providers/google.ts';
import { diskStorage, type Storage } from './features/media/storage/storage.ts';
import { s3Storage } from './features/media/storage/storage-s3.ts';
import { type AgeProvider, signedAgeProvider } from './features/profiles/age/provider.ts';
import type { PaymentProvider } from './features/subscriptions/providers/provider.ts';
import type { Config } from '#platform/config/config.ts';
import type { SignInConfig } from '#platform/config/sign-in.ts';
import type { Db } from '#platform/db/db.ts';
import { createMailTransport, type MailTransport } from '#platform/notify/smtp.ts';
import type { Clock } from '#platform/process/clock.ts';
import { StartError } from '#platform/process/lifecycle.ts';
import { type Metrics, withErrorsCounted } from '#platform/process/metrics.ts';

/** What a provider is opened with. */
export interface ProviderContext {
  config: Config;
  db: Db;
  clock: Clock;
  log: FastifyBaseLogger;
  metrics: Metrics;
  app: FastifyInstance;
  /** Adds the parts that a provider has besides its service: its own endpoints, pages and jobs. */
  addFeature(feature: ProviderFeature): void;
}

type ProviderFeature = Omit<Feature, 'reactions' | 'mails'>;

/** Opens the services outside this process. */
export interface Providers {
  /** Null if premium can't be bought. */
  payments(context: ProviderContext): Promise<PaymentProvider | null>;
  /** Null providers don't exist, so users can't sign in with them. */
  identities(context: ProviderContext): Promise<Omit<Identities, 'nonces'>>;
  /** Null if the age of members can't be checked. */
  age(context: ProviderContext): Promise<AgeProvider | null>;
  storage(context: ProviderContext): Promise<Storage>;
  /** Null if emails stay in the outbox, or another process sends them. */
  mail(context: ProviderContext): MailTransport | null;
}

/** The error for a setting that only `demo/` supports. */
const broughtByDemo = (setting: string) =>
  new StartError(`${setting} works only with npm start (launcher/serve.ts): use that, or change the setting.`);

/** The services of a real installation, as configured. */
export const realProviders: Providers = {
  async payments({ config: { payments: config }, clock, log, metrics }) {
    if (config.provider === 'sandbox')
      throw broughtByDemo('PAYMENTS_PROVIDER=sandbox, the default outside production,');
    if (config.provider !== 'stripe') return null;
    // Loading its library takes a tenth of a second.
    const { createStripePayments } = await import('./features/subscriptions/providers/stripe/stripe.ts');
    const stripe = createStripePayments({ config, prices: config.prices, clock, log });
    return withErrorsCounted(metrics, 'stripe', stripe);
  },
  async identities({ config: { signIn } }) {
    if (signIn.builtIn && (signIn.google === null || signIn.facebook === null))
      throw broughtByDemo('SIGN_IN_ISSUER=built-in, the default outside production,');
    return realIdentities(signIn);
  },
  async age({
    config: {
      age: { provider },
    },
  }) {
    if (provider === 'double') throw broughtByDemo('AGE_PROVIDER=double');
    return provider === 'off' ? null : signedAgeProvider(provider);
  },
  async storage({ config: { media }, log, metrics }) {
    const { directory, storage } = media;
    return storage.driver === 's3'
      ? withErrorsCounted(metrics, 'pictures', s3Storage(storage, log))
      : diskStorage(directory);
  },
  mail: ({ config: { mail } }) => (mail.smtpUrl === null ? null : createMailTransport(mail.smtpUrl)),
};

/** Google and Facebook, if they are configured. */
export function realIdentities({
  google,
  facebook,
}: Pick<SignInConfig, 'google' | 'facebook'>): Omit<Identities, 'nonces'> {
  return {
    google: google && createGoogle(google, fetch),
    facebook: facebook && createFacebook(facebook, fetch),
  };
}
