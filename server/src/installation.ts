import type { DemoData } from './demo-data.ts';
import type { EmbeddedLauncher } from './open-database.ts';
import type { Providers } from './providers.ts';

/** What a process brings besides the server. Without these parts, it needs an external database and real services. */
export interface Installation {
  providers?: Providers;
  embedded?: EmbeddedLauncher;
  demo?: DemoData;
}
