import type { DemoData } from './demo-data.ts';
import type { EmbeddedLauncher } from './open-database.ts';
import type { Providers } from './providers.ts';

/** What a process has besides the server. Without any of it, it needs its own database and real services. */
export interface Installation {
  providers?: Providers;
  embedded?: EmbeddedLauncher;
  demo?: DemoData;
}
