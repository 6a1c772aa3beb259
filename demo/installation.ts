import type { DemoData } from '../server/src/demo-data.ts';
import { hasDemoData } from '#platform/db/db.ts';
import { type Providers, realProviders } from '../server/src/providers.ts';

/** The real services, replaced by stand-ins if the configuration or the database asks for them; those are loaded only then. */
export const demoProviders: Providers = {
  ...realProviders,
  async payments(context) {
    if (context.config.payments.provider !== 'sandbox') return await realProviders.payments(context);
    const { openSandbox } = await import('./payments/sandbox.ts');
    return await openSandbox(context);
  },
  async identities(context) {
    const { signIn } = context.config;
    if (!signIn.builtIn || (signIn.google !== null && signIn.facebook !== null))
      return await realProviders.identities(context);
    const { openIssuer } = await import('./identity/issuer.ts');
    return openIssuer(context);
  },
  async age(context) {
    if (context.config.age.provider !== 'double') return await realProviders.age(context);
    const { openAgeDouble } = await import('./age/double.ts');
    return openAgeDouble(context);
  },
  async storage(context) {
    const storage = await realProviders.storage(context);
    if (!(await hasDemoData(context.db))) return storage;
    const { withDemoPictures } = await import('./pictures/storage.ts');
    return withDemoPictures(storage);
  },
};

/** The demo members for the server, loaded when a database has them or is filled with them. */
export const demoData: DemoData = {
  async fill(owner, options) {
    const { seedDemo } = await import('./seed.ts');
    await seedDemo(owner, options);
  },
  accounts: async () => (await import('./accounts.ts')).demoAccounts,
  async ticker(db, clock) {
    const { demoActivityEverySeconds, keepDemoOnline } = await import('./keep-online.ts');
    return { name: 'demo', everyMs: demoActivityEverySeconds * 1000, run: () => keepDemoOnline(db, clock.now()) };
  },
};
