import { startService } from './start.ts';

// The server alone, for an installation with its own database and services; `launcher/serve.ts` brings the others.
await startService({});
