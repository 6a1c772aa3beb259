import { describe, expect, test } from 'vitest';
import { answerSandboxIntent } from '#contract/subscriptions/payments-sandbox.ts';
import * as calls from '#contract/subscriptions/subscriptions.ts';
import { makeMember, type TestMember } from '../../../test/factories.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { beginPremium, buyPremium, confirmPremium, isVip, passUntil, payWith, settle } from '../../../test/premium.ts';

const app = startAppForTests();

/** Changes the member's open invoices at the provider. */
const tamper = ({ id }: TestMember, change: { total_minor?: number; currency?: string }) =>
  app.pool.query(
    `update sandbox.invoice set total_minor = coalesce($2, total_minor), currency = coalesce($3, currency)
     where status = 'open' and customer_id in (select customer_id from payment_customer where account_id = $1)`,
    [id, change.total_minor, change.currency],
  );
const update = (by: TestMember, plan: 'annual' | 'quarterly') =>
  app.call(calls.updateSubscription, { token: by.token, body: { plan } });
const approve = (id: string, clientSecret: string) =>
  app.call(answerSandboxIntent, { params: { id }, body: { clientSecret, challenge: 'approve' } });

describe('a payment that differs from the request', () => {
  test.each([
    ['one cent', { total_minor: 1 }],
    ['one cent too low', { total_minor: 1498 }],
    ['in another currency', { currency: 'JPY' }],
  ])('starts no premium and is logged if it is %s', async (_, change) => {
    const member = await makeMember(app);
    const started = await beginPremium(app, member);
    await tamper(member, change);
    await payWith(app, started, 'tok_visa');
    const answer = await confirmPremium(app, member, started);
    expect([answer.status, answer.error.code]).toEqual([422, 'PAYMENT_UNFINISHED']);
    await settle(app);
    expect(await isVip(app, member)).toBe(false);
    expect(app.logLines()).toContain('a payment differs from the request');
    await app.drain();
    expect(await app.outbox(member.email)).toEqual([]);
  });

  test('does not extend premium for a longer plan', async () => {
    const member = await makeMember(app);
    const { currentPeriodEnd } = await buyPremium(app, member);
    const { data: card } = (await app.call(calls.createSetupIntent, { token: member.token })).body;
    await payWith(app, { ...card, paymentIntentId: null }, 'tok_challenge');
    await approve(card.setupIntentId, card.clientSecret);
    await app.drain();
    const { data } = (await update(member, 'annual')).body;
    expect(data.requiresAction).toBe(true);
    await tamper(member, { total_minor: 11988 - 1499 - 1 });
    await approve(data.paymentIntentId ?? '', data.clientSecret ?? '');
    await settle(app);
    const after = (await app.call(calls.currentSubscription, { token: member.token })).body.subscription;
    expect(after.currentPeriodEnd).toBe(currentPeriodEnd);
    expect(await isVip(app, member)).toBe(true);
  });

  test('does not renew premium', async () => {
    const member = await makeMember(app);
    await buyPremium(app, member);
    await app.sql`update sandbox.subscription set price_minor = 1 where customer_id in
      (select customer_id from payment_customer where account_id = ${member.id}::uuid)`;
    await passUntil(app, '2026-07-15T13:00:00Z');
    expect(await isVip(app, member)).toBe(false);
  });
});

describe('a free trial that was not requested', () => {
  test('grants nothing', async () => {
    const member = await makeMember(app);
    const started = await beginPremium(app, member);
    await app.sql`update sandbox.subscription set status = 'trialing', trial_start = created_at, trial_end = period_end
      where customer_id in (select customer_id from payment_customer where account_id = ${member.id}::uuid)`;
    await confirmPremium(app, member, started);
    expect(await isVip(app, member)).toBe(false);
  });
});
