import { startService } from './start.ts';

// The server alone, for an installation with an external database and real services; `launcher/serve.ts` adds the rest.
await startService({});
