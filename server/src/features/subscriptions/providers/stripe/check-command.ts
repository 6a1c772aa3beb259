import { parseArgs } from 'node:util';
import { systemClock } from '../../../../platform/process/clock.ts';
import { readConfig } from '../../../../platform/config/config.ts';
import type { Environment } from '../../../../platform/config/values.ts';
import { createLog } from '../../../../platform/process/log.ts';
import { createStripeClient } from './api.ts';
import { buyOnce, isLiveKey, lookAtAccount, reasonOf, type Finding } from './checkup.ts';
import { createStripePayments } from './stripe.ts';
import { StartError } from '../../../../platform/process/lifecycle.ts';

const usage = 'Use: npm run stripe:check -- [--buy] [--live], with the variables of Stripe in the environment.';

/** The output of the command. */
interface Output {
  stdout: { write(text: string): unknown };
  stderr: { write(text: string): unknown };
}

/** Runs the checks. Returns whether all of them passed. */
async function everyCheck(args: string[], { stdout }: Output, environment?: Environment): Promise<boolean> {
  const say = ({ isGood, words }: Finding) => stdout.write(`${isGood ? 'good' : 'BAD '}  ${words}\n`);
  const { values } = parseArgs({ args, options: { buy: { type: 'boolean' }, live: { type: 'boolean' } } });
  const { payments: config, publicUrl } = readConfig(environment);
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

/** The command `npm run stripe:check`, by default with the environment of the process. Returns its exit code. */
export async function checkStripe(args: string[], output: Output, environment?: Environment): Promise<number> {
  try {
    return (await everyCheck(args, output, environment)) ? 0 : 1;
  } catch (error) {
    const isUsage = (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS') === true;
    const words = error instanceof StartError ? error.message : `Stripe could not be checked: ${reasonOf(error)}.`;
    output.stderr.write(`${isUsage ? usage : words}\n`);
    return 1;
  }
}
