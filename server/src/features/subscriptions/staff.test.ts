import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { listAudit } from '#contract/moderation/audit.ts';
import { leaveService } from '#contract/auth/auth.ts';
import { refundSandboxInvoice } from '#contract/subscriptions/payments-sandbox.ts';
import { changeAdminUser } from '#contract/profiles/staff.ts';
import * as calls from '#contract/subscriptions/subscriptions.ts';
import {
  deleteAccounts,
  makeAdministrator,
  makeMember,
  makeModerator,
  type TestMember,
} from '../../../test/factories.ts';
import { password, passwordHash } from '../../../test/guards/people.ts';
import { startApp, type TestApp } from '../../../test/harness.ts';
import { premiumData } from './reads.ts';
import { buyPremium, isVip, newestInvoiceId, passUntil, settle } from '../../../test/premium.ts';

let app: TestApp;
let administrator: TestMember;
beforeEach(async () => {
  app = await startApp();
  administrator = await makeAdministrator(app);
});
afterEach(() => app.close());

const revenue = async () => (await app.call(calls.getRevenue, { token: administrator.token })).body.data;
const renewsOf = async (member: TestMember) => {
  const query = { userId: member.id };
  const answer = await app.call(calls.listSubscriptions, { token: administrator.token, query });
  return answer.body.data.subscriptions[0]?.cancelAtPeriodEnd === false;
};

describe('the administrators’ view of premium', () => {
  test('shows a member’s subscriptions, and audits the view', async () => {
    const member = await makeMember(app);
    const { _id } = await buyPremium(app, member);
    const query = { userId: member.id };
    const listed = await app.call(calls.listSubscriptions, { token: administrator.token, query });
    expect(listed.body.data.subscriptions.map((one) => one._id)).toEqual([_id]);
    expect((await app.call(calls.getSubscription, { token: administrator.token, params: { id: _id } })).status).toBe(
      200,
    );
    const events = (
      await app.call(listAudit, {
        token: administrator.token,
        query: { action: 'subscription.read', targetId: member.id },
      })
    ).body.data.events;
    expect(events).toHaveLength(2);
    const nobody = { token: administrator.token, query: { userId: randomUUID() } };
    expect((await app.call(calls.listSubscriptions, nobody)).status).toBe(404);
  });

  test('returns 403 to moderators, and members see only their own subscriptions', async () => {
    const [member, other, moderator] = [await makeMember(app), await makeMember(app), await makeModerator(app)];
    const { _id } = await buyPremium(app, member);
    const query = { userId: member.id };
    expect((await app.call(calls.listSubscriptions, { token: moderator.token, query })).status).toBe(403);
    expect((await app.call(calls.getSubscription, { token: moderator.token, params: { id: _id } })).status).toBe(403);
    expect((await app.call(calls.listSubscriptions, { token: other.token, query })).body.data.subscriptions).toEqual(
      [],
    );
    expect((await app.call(calls.getSubscription, { token: other.token, params: { id: _id } })).status).toBe(404);
  });

  test('shows figures that follow every change', async () => {
    const before = await revenue();
    const [monthly, annual, failing] = [await makeMember(app), await makeMember(app), await makeMember(app)];
    const paused = await makeMember(app);
    await buyPremium(app, paused);
    await app.call(calls.pauseSubscription, { token: paused.token, body: { months: 1 } });
    await buyPremium(app, monthly);
    await buyPremium(app, annual, { plan: 'annual' });
    await buyPremium(app, failing, { card: 'tok_renewal_fails' });
    const bought = await revenue();
    expect(bought.active).toBe(before.active + 4);
    expect(bought.monthlyRecurring.amountMinor).toBe(before.monthlyRecurring.amountMinor + 1499 + 999 + 1499 + 1499);
    await app.call(calls.cancelSubscription, { token: monthly.token, body: {} });
    await passUntil(app, '2026-07-15T12:01:00Z');
    const later = await revenue();
    expect(later.pastDue).toBe(before.pastDue + 1);
    expect(later.churnedThisMonth).toBe(1);
    // A pause is neither revenue nor a loss.
    expect(later.paused).toBe((before.paused ?? 0) + 1);
    expect(later.monthlyRecurring.amountMinor).toBe(bought.monthlyRecurring.amountMinor - 1499 - 1499);
    const query = { userId: paused.id };
    const listed = await app.call(calls.listSubscriptions, { token: administrator.token, query });
    expect(listed.body.data.subscriptions).toMatchObject([
      { status: 'paused', pausedUntil: '2026-08-15T12:00:00.000Z' },
    ]);
    const archived = JSON.stringify((await premiumData(app.db, paused.id)).subscriptions);
    expect(JSON.parse(archived)).toMatchObject(listed.body.data.subscriptions);
    await deleteAccounts(app, annual.id);
    expect((await revenue()).active).toBe(later.active - 1);
  });
});

describe('the premium of an account', () => {
  test('is not renewed if the account leaves, is deactivated or becomes staff', async () => {
    const leaving = await makeMember(app, { passwordHash: await passwordHash() });
    const deactivated = await makeMember(app);
    const paused = await makeMember(app);
    for (const member of [leaving, deactivated, paused]) await buyPremium(app, member);
    await app.call(calls.pauseSubscription, { token: paused.token, body: { months: 1 } });
    await app.call(leaveService, { token: leaving.token, body: { password } });
    const body = { isActive: false, reason: 'Asked for money' };
    for (const { id } of [deactivated, paused])
      await app.call(changeAdminUser, { token: administrator.token, params: { id }, body });
    await settle(app);
    for (const member of [leaving, deactivated, paused]) expect(await renewsOf(member)).toBe(false);
  });

  test('is renewed if the account stays after all, even if the job that ends it is retried', async () => {
    const member = await makeMember(app);
    await buyPremium(app, member);
    for (const task of ['account.leaving', 'subscriptions.stopRenewing'])
      await app.app.background.tasks[task]?.({ accountId: member.id }, undefined as never);
    await settle(app);
    expect(await renewsOf(member)).toBe(true);
  });

  test('ends at the provider when the account is deleted, and its invoices stay without a name', async () => {
    const member = await makeMember(app);
    await buyPremium(app, member);
    const invoiceId = await newestInvoiceId(app, member);
    await deleteAccounts(app, member.id);
    await app.app.background.tasks['subscriptions.customerCleanup']?.({}, undefined as never);
    expect(await app.db.selectFrom('customer_cleanup').selectAll().execute()).toEqual([]);
    const kept = await app.db
      .selectFrom('invoice')
      .select(['account_id', 'total_minor'])
      .where('id', '=', invoiceId)
      .execute();
    expect(kept).toEqual([{ account_id: null, total_minor: 1499 }]);
    await passUntil(app, '2026-09-01T12:00:00Z');
    const { rows } = await app.pool
      .query(`select from sandbox.subscription where status not in ('canceled', 'incomplete_expired')
      and customer_id not in (select customer_id from payment_customer)`);
    expect(rows).toEqual([]);
  });

  test('ends when its payment is refunded', async () => {
    const member = await makeMember(app);
    await buyPremium(app, member, { plan: 'annual' });
    await app.call(calls.pauseSubscription, { token: member.token, body: { months: 1 } });
    const params = { id: await newestInvoiceId(app, member) };
    expect((await app.call(refundSandboxInvoice, { token: administrator.token, params })).status).toBe(200);
    await settle(app);
    expect(await isVip(app, member)).toBe(false);
    const { invoices } = (await app.call(calls.listInvoices, { token: member.token })).body.data;
    expect(invoices.map(({ status }) => status)).toEqual(['refunded']);
    expect((await app.call(calls.currentSubscription, { token: member.token })).status).toBe(404);
    expect((await buyPremium(app, member)).status).toBe('active');
  });

  test('ends when it is refunded after its cancellation, even if no message says so', async () => {
    const member = await makeMember(app);
    const { _id } = await buyPremium(app, member, { plan: 'annual' });
    const reconcile = async () => {
      // No webhook message arrives.
      await app.sql`delete from graphile_worker._private_jobs`;
      await app.app.background.tasks['subscriptions.reconcile']?.({}, undefined as never);
    };
    await app.sql`update sandbox.subscription set status = 'canceled', due_at = null
      where id = (select provider_id from subscription where id = ${_id}::uuid)`;
    await reconcile();
    expect(await isVip(app, member)).toBe(true);
    const params = { id: await newestInvoiceId(app, member) };
    await app.call(refundSandboxInvoice, { token: administrator.token, params });
    await reconcile();
    expect(await isVip(app, member)).toBe(false);
  });
});
