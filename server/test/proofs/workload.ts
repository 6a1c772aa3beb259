import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { listAudit } from '#contract/moderation/audit.ts';
import { listSessions, register } from '#contract/auth/auth.ts';
import { login } from '#contract/auth/session.ts';
import { changeAdminUser, listUsers } from '#contract/profiles/staff.ts';
import { editProfile, getProfile, showLastActive } from '#contract/profiles/profiles.ts';
import { listOutbox } from '#contract/system.ts';
import { retryAttempts } from '#contract/constants.ts';
import { bodyOf, call, mustCall, type Outcome } from './http.ts';
import { createLedger, judge, phaseOf, type Entry, type Verdict } from './ledger.ts';
import { administratorToken, type Product } from './product.ts';

const pauseAfterFailureMs = 100;
const readersAtOnce = 8;
const pageLimit = 1000;
const password = 'a phrase nobody would guess';

interface Joined {
  email: string;
  id: string;
  token: string;
}

/** Clients that write continuously, and what they know about their writes. */
export interface Workload {
  /** Stops each client after its current request. */
  stop(): Promise<void>;
  /** When and how each request ended, oldest first. */
  answers: { at: number; outcome: Outcome }[];
  /** Reads everything back through the API and as the members, and compares. The product must be ready. */
  check(): Promise<Verdict & { contradictions: string[] }>;
}

/**
 * Writes to `product` from several clients. Each registers one new member after another, and each member writes a bio,
 * hides when they were active, signs in a second time and is edited by the administrator. All of these contain the
 * member's tag. Each client pauses for `pauseMs` before each member. Tokens last 15 minutes, which a workload must not
 * exceed.
 */
export async function startWorkload(
  product: Pick<Product, 'origin'>,
  file: string,
  {
    clients = 8,
    pauseMs = 0,
    outboxAt = product.origin,
  }: { clients?: number; pauseMs?: number; outboxAt?: string } = {},
): Promise<Workload> {
  const { origin } = product;
  const ledger = createLedger(file);
  const joined = new Map<string, Joined>();
  const answers: Workload['answers'] = [];
  const contradictions: string[] = [];
  const mark = randomUUID().slice(0, 8);
  let stopped = false;
  const admin = await administratorToken(product);

  const noted = async (sent: Promise<Outcome>): Promise<Outcome> => {
    const outcome = await sent;
    answers.push({ at: performance.now(), outcome });
    if (phaseOf(outcome) !== 'ok') await pause(pauseAfterFailureMs);
    return outcome;
  };

  /**
   * Retries like the product's client: three attempts with one key. A refusal because an earlier attempt succeeded is
   * recorded.
   */
  const keyed = async (tag: string, attempt: (key: string) => Promise<Outcome>): Promise<Outcome> => {
    const key = randomUUID();
    let unknown: Outcome | null = null;
    let outcome = await noted(attempt(key));
    for (let tries = 1; tries < retryAttempts && phaseOf(outcome) !== 'ok'; tries += 1) {
      if (phaseOf(outcome) === 'unknown') unknown = outcome;
      outcome = await noted(attempt(key));
      if (unknown !== null && outcome.kind === 'answered' && phaseOf(outcome) === 'fail')
        contradictions.push(`${tag} was answered ${outcome.status} at a keyed retry`);
    }
    return phaseOf(outcome) === 'ok' ? outcome : (unknown ?? outcome);
  };

  async function joinAs(email: string): Promise<Joined | null> {
    const body = { email, password, firstName: 'Ida', lastName: 'Holm', acceptTerms: true };
    const outcome = await ledger.perform(`join ${email}`, () =>
      keyed(email, (key) => call(origin, register, { body, headers: { 'idempotency-key': key } })),
    );
    const answer = bodyOf(register, outcome);
    if (answer === null) return null;
    const member = { email, id: answer.user._id, token: answer.token };
    joined.set(email, member);
    return member;
  }

  async function live({ email, id, token }: Joined): Promise<void> {
    await ledger.perform(`bio ${email}`, () => noted(call(origin, editProfile, { token, body: { bio: email } })));
    await ledger.perform(`hide ${email}`, () =>
      noted(call(origin, showLastActive, { token, body: { showLastActive: false } })),
    );
    await ledger.perform(`session ${email}`, () => noted(call(origin, login, { body: { email, password } })));
    const edit = { token: admin, params: { id }, body: { lastName: 'Berg', reason: email } };
    await ledger.perform(`audit ${email}`, () => noted(call(origin, changeAdminUser, edit)));
  }

  async function client(number: number): Promise<void> {
    for (let count = 0; !stopped; count += 1) {
      await pause(pauseMs);
      const member = await joinAs(`tag-${mark}-${number}-${count}@prove.test`);
      if (member !== null) await live(member);
    }
  }

  const running = Promise.all(Array.from({ length: clients }, (_, number) => client(number)));

  return {
    answers,
    async stop() {
      stopped = true;
      await running;
    },
    async check() {
      const entries = ledger.entries();
      const found = await readBack({ ...product, outboxAt }, `tag-${mark}-`, [...joined.values()], entries);
      return { ...judge(entries, found), contradictions };
    },
  };
}

/** How often each tag is found by the members and by the administrator. */
async function readBack(
  product: Pick<Product, 'origin'> & { outboxAt: string },
  prefix: string,
  members: Joined[],
  entries: Entry[],
): Promise<Map<string, number>> {
  const { origin } = product;
  const found = new Map<string, number>();
  const add = (tag: string, count = 1) => found.set(tag, (found.get(tag) ?? 0) + count);
  const token = await administratorToken(product);
  const addressOf = new Map(members.map(({ id, email }) => [id, email]));
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const { data } = await mustCall(origin, listUsers, {
      token,
      query: { page: String(page), limit: String(pageLimit) },
    });
    // The list masks the addresses of all but the newest thousand.
    for (const { _id, email } of data.users) {
      const known = addressOf.get(_id) ?? email;
      if (known.startsWith(prefix)) add(`join ${known}`);
    }
    ({ pages } = data.pagination);
  }
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const query = { page: String(page), limit: String(pageLimit), action: 'user.edited' as const };
    const { data } = await mustCall(origin, listAudit, { token, query });
    for (const { reason } of data.events) if (reason?.startsWith(prefix) === true) add(`audit ${reason}`);
    ({ pages } = data.pagination);
  }
  await each(members, async ({ token: own }) => {
    const { user } = (await mustCall(origin, getProfile, { token: own })).userData;
    if (user.bio !== null) add(`bio ${user.bio}`);
    if (!user.settings.showLastActive) add(`hide ${user.email}`);
    const { sessions } = (await mustCall(origin, listSessions, { token: own })).data;
    add(`session ${user.email}`, sessions.length - 1);
  });
  // An acknowledged registration must send exactly one verification email.
  const asked = [...new Set(entries.map(({ tag }) => tag))].filter((tag) => tag.startsWith('join '));
  await each(asked, async (tag) => {
    const { mails } = (await mustCall(product.outboxAt, listOutbox, { query: { to: tag.slice('join '.length) } })).data;
    // Others tell the member what the administrator changed.
    const { length } = mails.filter(({ code }) => code !== undefined);
    if (length > 1) add(tag, length - 1);
    if (length === 0 && found.has(tag)) found.delete(tag);
  });
  return found;
}

async function each<T>(items: T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const reader = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: readersAtOnce }, reader));
}
