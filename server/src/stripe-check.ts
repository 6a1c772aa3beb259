import { checkStripe } from './features/subscriptions/providers/stripe/check-command.ts';

process.exitCode = await checkStripe(process.argv.slice(2), process);
