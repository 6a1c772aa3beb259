import { forgotPassword, resendVerification } from '#contract/auth/auth.ts';
import { login } from '#contract/auth/session.ts';
import type { IncomingHttpHeaders } from 'node:http';
import { call, inWords, type Outcome } from '../http.ts';
import { areaBetween } from '../../eval/speed-dating/measures.ts';
import { median } from 'simple-statistics';
import { fromNetwork, joinAs, verifyByMail } from '../people.ts';
import { createProduct } from '../product.ts';
import { figure, type Figure, type Proof, type Stage } from '../proof.ts';

const probes = 200;
const joiningAtOnce = 10;
const lowestArea = 0.4;
const highestArea = 0.6;

/** Differences without meaning: timestamps and random values of each answer. */
const randomParts = [/"requestId":"[0-9a-f-]{36}"/g, /"verificationToken":"[\w-]{43}"/g];
const unstableHeaders = ['date', 'keep-alive'];

const calls = {
  login: (origin: string, email: string, network: Record<string, string>) =>
    call(origin, login, { body: { email, password: 'not their password' }, headers: network }),
  forgot: (origin: string, email: string, network: Record<string, string>) =>
    call(origin, forgotPassword, { body: { email }, headers: network }),
  resend: (origin: string, email: string, network: Record<string, string>) =>
    call(origin, resendVerification, { body: { email }, headers: network }),
};

/** Sends the same requests for addresses with and without an account, and looks for any difference. */
export const membership: Proof = {
  name: 'membership',
  about: 'login, forgot and resend for 200 known and 200 unknown addresses each',
  async run(stage) {
    const product = await createProduct(stage.folder, { RATE_LIMITS: 'on', TRUSTED_PROXIES: 'loopback' });
    try {
      await product.start();
      await joinAll(product.origin);
      stage.say(`${probes} members joined`);
      const figures: Figure[] = [];
      let network = 10_000;
      for (const [name, ask] of Object.entries(calls))
        figures.push(
          ...(await compare(stage, name, (email) => ask(product.origin, email, fromNetwork((network += 1))))),
        );
      return figures;
    } finally {
      await product.clear();
    }
  },
};

// Same length and shape, registered or not.
const known = (number: number) => `member${String(number).padStart(4, '0')}@prove.test`;
const unknown = (number: number) => `nobody${String(number).padStart(4, '0')}@prove.test`;

async function joinAll(origin: string): Promise<void> {
  const waiting = Array.from({ length: probes }, (_, number) => number);
  const joiner = async () => {
    for (let number = waiting.shift(); number !== undefined; number = waiting.shift()) {
      await joinAs(origin, known(number), number);
      // Every second one has verified the address, which no one else may notice.
      if (number % 2 === 0) await verifyByMail(origin, known(number), fromNetwork(number));
    }
  };
  await Promise.all(Array.from({ length: joiningAtOnce }, joiner));
}

/** Random order, so that neither group always runs after the other's background work. */
async function compare({ random }: Stage, name: string, ask: (email: string) => Promise<Outcome>): Promise<Figure[]> {
  const times = { known: [] as number[], unknown: [] as number[] };
  const looks = { known: new Set<string>(), unknown: new Set<string>() };
  await ask('warming-up@prove.test');
  const numbers = Array.from({ length: probes }, (_, number) => number);
  for (const number of numbers) {
    for (const group of random.shuffled(['known', 'unknown'] as const)) {
      const outcome = await ask(group === 'known' ? known(number) : unknown(number));
      times[group].push(outcome.ms);
      looks[group].add(look(outcome));
    }
  }
  const seen = new Set([...looks.known, ...looks.unknown]);
  const area = areaBetween(times.known, times.unknown);
  return [
    figure(
      `5 Nobody learns I am a member (${name}, content)`,
      seen.size === 1 ? 'status, headers and body alike' : [...seen].slice(0, 3).join(' | '),
      seen.size === 1,
    ),
    figure(
      `5 Nobody learns I am a member (${name}, time)`,
      `AUC ${area.toFixed(3)}, medians ${median(times.known).toFixed(1)} and ${median(times.unknown).toFixed(1)} ms`,
      area >= lowestArea && area <= highestArea,
    ),
  ];
}

/** Every property of an answer that a program could compare. */
function look(outcome: Outcome): string {
  if (outcome.kind !== 'answered') return inWords(outcome);
  const body = randomParts.reduce((text, pattern) => text.replaceAll(pattern, '…'), outcome.text);
  return `${outcome.status} ${headersInWords(outcome.headers)} ${body}`;
}

function headersInWords(headers: IncomingHttpHeaders): string {
  const stable = Object.entries(headers).filter(([name]) => !unstableHeaders.includes(name));
  return JSON.stringify(stable.sort(([a], [b]) => (a < b ? -1 : 1)));
}
