import type { DemoData } from '../server/src/demo-data.ts';

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
