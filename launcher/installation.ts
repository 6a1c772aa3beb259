import { demoData, demoProviders } from '../demo/installation.ts';
import type { Installation } from '../server/src/run-command.ts';

/** The server's installation with an embedded database and everything in `demo/`, each part loaded on first use. */
export const installation: Installation = {
  providers: demoProviders,
  demo: demoData,
  embedded: {
    exists: async (dataDir) => (await import('./embedded-database/place.ts')).hasDatabase(dataDir),
    open: async (dataDir, holder, log) => (await import('./open-embedded.ts')).openEmbedded(dataDir, holder, log),
    running: async (dataDir) => (await import('./open-embedded.ts')).runningDatabase(dataDir),
  },
};
