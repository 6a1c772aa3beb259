import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { apiBasePath } from '#contract/constants.ts';
import { cancelSubscription, pauseSubscription, resumeSubscription } from '#contract/subscriptions/subscriptions.ts';
import { makeMember, type TestMember } from '../../../test/factories.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { beginPremium, buyPremium, isVip, passUntil, payWith, settle } from '../../../test/premium.ts';

const app = startAppForTests();

let secretKept: string | undefined;
const webhookSecret = async () =>
  (secretKept ??= (
    await app.db.selectFrom('secret').select('value').where('name', '=', 'paymentSandbox').executeTakeFirstOrThrow()
  ).value);

/** Signs a message as the provider does. */
async function signed(raw: string, { secondsAgo = 0, secret }: { secondsAgo?: number; secret?: string } = {}) {
  const at = Math.floor(app.clock.now().getTime() / 1000) - secondsAgo;
  const key = secret ?? (await webhookSecret());
  return `t=${at},v1=${createHmac('sha256', key).update(`${at}.${raw}`).digest('hex')}`;
}

async function send(raw: string, signature: string | undefined) {
  const answer = await app.app.inject({
    method: 'POST',
    url: `${apiBasePath}/webhooks/payments`,
    headers: {
      'content-type': 'application/json',
      ...(signature === undefined ? {} : { 'stripe-signature': signature }),
    },
    payload: raw,
  });
  return { status: answer.statusCode, message: answer.json<{ message: string }>().message };
}

/** All messages of the provider so far. */
async function messages(): Promise<string[]> {
  const { rows: events } = await app.pool.query<Record<string, string> & { created_at: Date }>(
    'select * from sandbox.event order by seq',
  );
  return events.map(({ id, type, created_at, object_id, customer_id, subscription_id }) =>
    JSON.stringify({
      id,
      type,
      created: Math.floor(created_at.getTime() / 1000),
      data: { object: { id: object_id, customer: customer_id, subscription: subscription_id } },
    }),
  );
}

/** A member's stored premium data without write times. */
async function kept({ id }: TestMember): Promise<unknown> {
  const subscription = await app.db
    .selectFrom('subscription')
    .select(['status', 'plan', 'paid_through', 'paused_until', 'cancel_at_period_end', 'ever_paid', 'trial_end'])
    .where('account_id', '=', id)
    .execute();
  const invoices = await app.db
    .selectFrom('invoice')
    .select(['status', 'total_minor', 'period_end'])
    .where('account_id', '=', id)
    .orderBy('created_at')
    .execute();
  const entitlement = await app.db.selectFrom('entitlement').select('until').where('account_id', '=', id).execute();
  return { subscription, invoices, entitlement, isVip: await isVip(app, { id }) };
}

describe('a webhook message', () => {
  const event = (id: string, subscription = 'sub_unknown') =>
    JSON.stringify({
      id,
      type: 'customer.subscription.updated',
      created: Math.floor(app.clock.now().getTime() / 1000),
      data: { object: { id: subscription, customer: 'cus_unknown', subscription } },
    });

  test('has its effect once', async () => {
    const raw = event('evt_once');
    expect(await send(raw, await signed(raw))).toEqual({ status: 200, message: 'OK' });
    expect(await send(raw, await signed(raw))).toEqual({ status: 200, message: 'duplicate' });
  });

  test.each([
    ['unsigned', async () => undefined],
    ['signed with another secret', async (raw: string) => signed(raw, { secret: 'another' })],
    ['five minutes and a second old', async (raw: string) => signed(raw, { secondsAgo: 301 })],
    ['ten minutes old', async (raw: string) => signed(raw, { secondsAgo: 600 })],
    ['signed with nonsense', async () => 't=now,v1=zz'],
    ['signed with the signature of another message', async () => signed('{}')],
  ])('is rejected with no effect if it is %s', async (_what, signature) => {
    const raw = event('evt_forged');
    expect((await send(raw, await signature(raw))).status).toBe(400);
    const stored = await app.db.selectFrom('provider_event').select('id').where('id', '=', 'evt_forged').execute();
    expect(stored).toEqual([]);
  });

  test('is rejected if it was truncated or changed', async () => {
    const raw = event('evt_cut');
    const signature = await signed(raw);
    for (const other of [raw.slice(0, -1), `${raw} `, raw.replace('updated', 'deleted'), '', 'x'.repeat(200_000)])
      expect((await send(other, signature)).status).toBe(400);
  });

  test('is rejected if it is signed but unreadable', async () => {
    for (const raw of ['not json', '{}', '[]', 'null', '{"id":7}'])
      expect((await send(raw, await signed(raw))).status).toBe(400);
  });

  test('only triggers a read, so that false content with a valid signature changes nothing', async () => {
    const member = await makeMember(app);
    await beginPremium(app, member);
    const { provider_id } = await app.db
      .selectFrom('subscription')
      .select('provider_id')
      .where('account_id', '=', member.id)
      .executeTakeFirstOrThrow();
    const raw = JSON.stringify({
      id: 'evt_lie',
      type: 'invoice.paid',
      created: Math.floor(app.clock.now().getTime() / 1000),
      data: { object: { id: 'in_x', customer: 'cus_x', subscription: provider_id, status: 'active', paid: true } },
    });
    expect((await send(raw, await signed(raw))).status).toBe(200);
    await settle(app);
    expect(await isVip(app, member)).toBe(false);
  });
});

/** The same numbers in a seeded random order. */
function shuffled<T>(items: readonly T[], seed: number): T[] {
  let state = seed * 2_654_435_761 + 1;
  const next = () => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9) | 0;
    return (state >>> 0) / 4_294_967_296;
  };
  return items
    .map((item) => [next(), item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item);
}

/** Each shuffle decides again whether two messages are in the wrong order: forty shuffles miss a pair once in 10^12 times. */
const orders = 40;

describe('webhook messages in any order, repeated and late', () => {
  test(`lead to the same state as ordered ones, for ${orders} orders`, async () => {
    const lives: ((member: TestMember) => Promise<unknown>)[] = [
      (member) => buyPremium(app, member),
      async (member) => {
        await buyPremium(app, member, { plan: 'quarterly' });
        await app.call(cancelSubscription, { token: member.token, body: {} });
      },
      async (member) => payWith(app, await beginPremium(app, member, 'annual'), 'tok_visa'),
      async (member) => payWith(app, await beginPremium(app, member), 'tok_declined'),
      (member) => buyPremium(app, member, { card: 'tok_renewal_fails' }),
      async (member) => {
        await buyPremium(app, member);
        const token = { token: member.token };
        await app.call(pauseSubscription, { ...token, body: { months: 2 } });
        await app.call(resumeSubscription, { ...token, body: {} });
        await app.call(pauseSubscription, { ...token, body: { months: 3 } });
      },
    ];
    const members = [];
    for (const live of lives) {
      const member = await makeMember(app);
      await live(member);
      members.push(member);
    }
    await passUntil(app, '2026-07-16T12:00:00Z');
    const ordered = await Promise.all(members.map(kept));
    const said = await messages();
    expect(said.length).toBeGreaterThan(15);
    for (let seed = 1; seed <= orders; seed += 1) {
      await app.db.deleteFrom('provider_event').execute();
      await app.sql`update subscription set status = 'incomplete', paid_through = null, ever_paid = false where status <> 'incomplete_expired'`;
      const order = shuffled([...said, ...said, ...said], seed);
      const [early, late] = [order.slice(0, order.length / 2), order.slice(order.length / 2)];
      for (const part of [early, late]) {
        const answers = await Promise.all(part.map(async (raw) => send(raw, await signed(raw))));
        expect(answers.every(({ status }) => status === 200)).toBe(true);
        await app.drain();
      }
      expect(await Promise.all(members.map(kept))).toEqual(ordered);
    }
  });
});
