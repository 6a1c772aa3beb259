import { checkStripe } from './features/subscriptions/providers/stripe/checkup.ts';

process.exitCode = await checkStripe(process.argv.slice(2), process);
