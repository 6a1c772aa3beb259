import { setTimeout as pause } from 'node:timers/promises';
import { login, refreshToken } from '#contract/auth/session.ts';
import { getProfile } from '#contract/profiles/profiles.ts';
import { call, mustCall, type Outcome } from '../http.ts';
import { fromNetwork, joinAs, password, resetByMail } from '../people.ts';
import { createProduct } from '../product.ts';
import { figure, type Figure, type Proof, type Stage } from '../proof.ts';
import { sessionIn } from '../../../server/test/session-in.ts';

const guesses = 1000;
const hourMs = 3_600_000;
const shortMs = 50_000;
const mostEvaluated = 40;
const resetWithinMs = 60_000;
const stuffedAccounts = 500;
const leastRefusedShare = 0.8;
const joiningAtOnce = 10;
const ownerNetwork = { 'x-forwarded-for': '192.0.2.7' };

/** Guesses passwords of one account and of many, with the limits on. */
export const guessing: Proof = {
  name: 'guessing',
  about: '1,000 guesses in an hour on one account, and one on each of 500',
  async run(stage) {
    const ignored = await onProduct(stage, {}, (origin) => attackBehindForgedHeader(origin));
    const believed = await onProduct(stage, { TRUSTED_PROXIES: 'loopback' }, async (origin) => [
      ...(await stuff(origin, stage)),
      ...(await attackOne(origin, stage, stage.short ? shortMs : hourMs)),
    ]);
    return [...ignored, ...believed];
  },
};

async function onProduct(
  { folder }: Stage,
  env: Record<string, string>,
  work: (origin: string) => Promise<Figure[]>,
): Promise<Figure[]> {
  const product = await createProduct(folder, { RATE_LIMITS: 'on', ...env });
  try {
    await product.start();
    return await work(product.origin);
  } finally {
    await product.clear();
  }
}

const guess = (origin: string, email: string, number: number, headers: Record<string, string>) =>
  call(origin, login, { body: { email, password: `${password} ${number}` }, headers });

/** A guess was evaluated if it was rejected as wrong; all others must have been rate-limited. */
function countGuesses(outcomes: Outcome[]): { evaluated: number; refused: number; other: number } {
  const withStatus = (status: number) =>
    outcomes.filter((outcome) => outcome.kind === 'answered' && outcome.status === status);
  const evaluated = withStatus(401).length;
  const refused = withStatus(429).filter((o) => o.kind === 'answered' && o.headers['retry-after'] !== undefined).length;
  return { evaluated, refused, other: outcomes.length - evaluated - refused };
}

/** The attacker uses a thousand networks, which the product trusts; the owner keeps using the service. */
async function attackOne(origin: string, { say }: Stage, withinMs: number): Promise<Figure[]> {
  const email = 'owner@prove.test';
  const joined = await joinAs(origin, email, 0);
  const attack = guessAll(origin, email, withinMs, say);
  const owner = await ownerLives(origin, email, joined, withinMs);
  const { evaluated, refused, other } = countGuesses(await attack);
  const overSeconds = Math.round(withinMs / 1000);
  return [
    figure(
      '3 Guessing is hopeless',
      `${evaluated} of ${guesses} guesses in ${overSeconds} s evaluated, ${refused} answered 429, ${other} otherwise`,
      evaluated <= mostEvaluated && other === 0,
    ),
    figure(
      '4 Nobody can lock me out (session)',
      `${owner.good} of ${owner.asked} calls of the owner answered`,
      owner.good === owner.asked && owner.asked > 10,
    ),
    figure(
      '4 Nobody can lock me out (reset)',
      `new password and signed in after ${Math.round(owner.resetMs)} ms`,
      owner.resetMs <= resetWithinMs,
    ),
  ];
}

async function guessAll(origin: string, email: string, withinMs: number, say: Stage['say']): Promise<Outcome[]> {
  const started = performance.now();
  const sent: Promise<Outcome>[] = [];
  for (let number = 0; number < guesses; number += 1) {
    await pause(Math.max(0, started + (withinMs * number) / guesses - performance.now()));
    sent.push(guess(origin, email, number, fromNetwork(1000 + number)));
    if (number % 100 === 99) say(`${number + 1} guesses, ${countGuesses(await Promise.all(sent)).evaluated} evaluated`);
  }
  return await Promise.all(sent);
}

/** The owner keeps reading their profile and, halfway, resets the password by mail and signs in with it. */
async function ownerLives(
  origin: string,
  email: string,
  session: { token: string; refreshToken: string },
  withinMs: number,
): Promise<{ asked: number; good: number; resetMs: number }> {
  const everyMs = withinMs / 100;
  const refreshEvery = Math.floor(600_000 / everyMs) + 1;
  let asked = 0;
  let good = 0;
  let resetMs = Number.POSITIVE_INFINITY;
  let { token, refreshToken: refresh } = session;
  for (let turn = 1; turn < 100; turn += 1) {
    await pause(everyMs);
    if (turn === 50) {
      const started = performance.now();
      await resetByMail(origin, { email, newPassword: `${password} again`, headers: ownerNetwork }, resetWithinMs);
      const body = { email, password: `${password} again` };
      ({ token, refreshToken: refresh } = sessionIn(await mustCall(origin, login, { body, headers: ownerNetwork })));
      resetMs = performance.now() - started;
    } else if (turn % refreshEvery === 0) {
      const body = { refreshToken: refresh };
      ({ token, refreshToken: refresh } = (await mustCall(origin, refreshToken, { body, headers: ownerNetwork })).data);
    }
    const outcome = await call(origin, getProfile, { token, headers: ownerNetwork });
    asked += 1;
    if (outcome.kind === 'answered' && outcome.status === 200) good += 1;
  }
  return { asked, good, resetMs };
}

/** One wrong password for each of 500 accounts, all from one network. */
async function stuff(origin: string, { say }: Stage): Promise<Figure[]> {
  const emails = Array.from({ length: stuffedAccounts }, (_, number) => `stuffed${number}@prove.test`);
  const waiting = emails.map((email, number) => ({ email, number }));
  const joiner = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      await joinAs(origin, next.email, 20_000 + next.number);
  };
  await Promise.all(Array.from({ length: joiningAtOnce }, joiner));
  say(`${stuffedAccounts} accounts joined`);
  const outcomes: Outcome[] = [];
  for (const [number, email] of emails.entries())
    outcomes.push(await guess(origin, email, number, { 'x-forwarded-for': '203.0.113.9' }));
  const { refused, evaluated } = countGuesses(outcomes);
  return [
    figure(
      '6 Credential stuffing is stopped',
      `${refused} of ${stuffedAccounts} answered 429 (${Math.round((refused / stuffedAccounts) * 100)} %), ${evaluated} evaluated`,
      refused >= leastRefusedShare * stuffedAccounts,
    ),
  ];
}

/** Without a trusted proxy the header is ignored: the thousand networks count as one. */
async function attackBehindForgedHeader(origin: string): Promise<Figure[]> {
  const email = 'forged@prove.test';
  await joinAs(origin, email, 0);
  const outcomes: Outcome[] = [];
  for (let number = 0; number < guesses; number += 1)
    outcomes.push(await guess(origin, email, number, fromNetwork(1000 + number)));
  const { evaluated, refused, other } = countGuesses(outcomes);
  return [
    figure(
      '3 Guessing is hopeless (forged header)',
      `${evaluated} of ${guesses} guesses at once evaluated, ${refused} answered 429, ${other} otherwise`,
      evaluated <= mostEvaluated && other === 0,
    ),
  ];
}
