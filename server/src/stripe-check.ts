import { parseArgs } from 'node:util';
import { systemClock } from './platform/process/clock.ts';
import { readConfig } from './platform/config/config.ts';
import { createLog } from './platform/process/log.ts';
import { createStripeClient } from './features/subscriptions/providers/stripe/api.ts';
import {
  buyOnce,
  isLiveKey,
  lookAtAccount,
  reasonOf,
  type Finding,
} from './features/subscriptions/providers/stripe/checkup.ts';
import { createStripePayments } from './features/subscriptions/providers/stripe/stripe.ts';
import { StartError } from './platform/process/lifecycle.ts';

const usage = 'Use: npm run stripe:check -- [--buy] [--live], with the variables of Stripe in the environment.';

function say({ isGood, words }: Finding): void {
  process.stdout.write(`${isGood ? 'good' : 'BAD '}  ${words}\n`);
}

/** Returns whether every check passed. */
async function main(): Promise<boolean> {
  const { values } = parseArgs({ options: { buy: { type: 'boolean' }, live: { type: 'boolean' } } });
  const { payments: config, publicUrl } = readConfig();
  if (config.provider !== 'stripe') throw new StartError(`Payments do not go through Stripe here. ${usage}`);
  const isLive = isLiveKey(config.secretKey);
  if (isLive && values.live !== true)
    throw new StartError('STRIPE_SECRET_KEY is not a test key. Add --live to check the real account anyway.');
  if (isLive && values.buy === true)
    throw new StartError('Nothing is bought with a live key. Leave out --buy, or use a test key.');
  say({ isGood: true, words: isLive ? 'The key is a live one: nothing is bought.' : 'The key is a test key.' });
  const stripe = createStripeClient(config);
  const findings: Finding[] = [];
  const take = async (found: AsyncIterable<Finding>) => {
    for await (const finding of found) {
      findings.push(finding);
      say(finding);
    }
  };
  await take(lookAtAccount(stripe, { ...config, publicUrl }));
  if (values.buy === true) {
    const log = createLog('silent');
    const provider = createStripePayments({ config, prices: config.prices, clock: systemClock, log });
    await take(buyOnce(stripe, provider));
  }
  return findings.every(({ isGood }) => isGood);
}

try {
  process.exitCode = (await main()) ? 0 : 1;
} catch (error) {
  const isUsage = (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS') === true;
  const words = error instanceof StartError ? error.message : `Stripe could not be checked: ${reasonOf(error)}.`;
  process.stderr.write(`${isUsage ? usage : words}\n`);
  process.exit(1);
}
