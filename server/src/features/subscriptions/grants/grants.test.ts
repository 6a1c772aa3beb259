import { beforeAll, describe, expect, it } from 'vitest';
import type { StaffRole } from '#contract/staff-roles.ts';
import { listAudit } from '#contract/moderation/audit.ts';
import { refundSandboxInvoice } from '#contract/subscriptions/payments-sandbox.ts';
import { getPremiumGift, grantPremium, revokePremiumGrant } from '#contract/subscriptions/grants.ts';
import {
  cancelSubscription,
  createSetupIntent,
  currentSubscription,
  getRevenue,
  listSubscriptions,
  updateSubscription,
} from '#contract/subscriptions/subscriptions.ts';
import { makeAdministrator, makeMember, type TestMember } from '../../../../test/factories.ts';
import { startAppForTests } from '../../../../test/harness.ts';
import { lockOut } from '../../../../test/locked.ts';
import { buyPremium, isVip, newestInvoiceId, passUntil, payWith, settle } from '../../../../test/premium.ts';
import { premiumData } from '../reads.ts';

const reason = 'The service was down on Sunday';
const dayMs = 86_400_000;

const app = startAppForTests();
let administrator: TestMember;
beforeAll(async () => {
  administrator = await makeAdministrator(app);
});

const give = (to: { id: string }, days: number, by: TestMember = administrator) =>
  app.call(grantPremium, { token: by.token, params: { id: to.id }, body: { days, reason } });
const revoke = (id: string, by: TestMember = administrator) =>
  app.call(revokePremiumGrant, { token: by.token, params: { id }, body: { reason } });
const colleague = (staffRole: StaffRole) => makeMember(app, { staffRole });
const giftOf = async ({ token }: TestMember) => (await app.call(getPremiumGift, { token })).body.data.gift;
const revenue = async () => (await app.call(getRevenue, { token: administrator.token })).body.data;
const entitledUntil = async ({ id }: TestMember) => {
  const row = app.db.selectFrom('entitlement').select('until').where('account_id', '=', id);
  return (await row.executeTakeFirst())?.until.toISOString() ?? null;
};
const later = (iso: string, days: number) => new Date(Date.parse(iso) + days * dayMs).toISOString();

describe('POST /admin/users/{id}/premium-grants', () => {
  it('gives premium without a subscription or revenue, mails the member and is audited', async () => {
    const [member, before] = [await makeMember(app), await revenue()];
    const { status, body } = await give(member, 10);
    const { grant } = body.data;
    expect([status, grant.days, grant.reason, grant.endsAt]).toEqual([201, 10, reason, later(grant.startsAt, 10)]);
    expect(await isVip(app, member)).toBe(true);
    expect(await giftOf(member)).toEqual({ until: grant.endsAt });
    expect((await app.call(currentSubscription, { token: member.token })).status).toBe(404);
    const after = await revenue();
    expect({ ...after, asOf: '' }).toEqual({ ...before, asOf: '' });
    const [mail] = await app.outbox(member.email);
    expect(mail?.text).toContain(`until ${grant.endsAt.slice(0, 10)}, a gift from our team`);
    const query = { targetId: member.id };
    const { events } = (await app.call(listAudit, { token: administrator.token, query })).body.data;
    expect(events.map((event) => [event.action, event.reason])).toEqual([['premium.granted', reason]]);
  });

  it('ends by itself', async () => {
    const member = await makeMember(app);
    const { endsAt } = (await give(member, 2)).body.data.grant;
    await passUntil(app, later(endsAt, -0.1));
    expect(await isVip(app, member)).toBe(true);
    await passUntil(app, later(endsAt, 0.01));
    expect(await isVip(app, member)).toBe(false);
    expect(await giftOf(member)).toBeNull();
  });

  it('starts after what a member pays for, whose revenue and renewal stay unchanged, and waits while it renews', async () => {
    const member = await makeMember(app);
    const { currentPeriodEnd } = await buyPremium(app, member);
    const paidUntil = currentPeriodEnd ?? '';
    const bought = await revenue();
    const { startsAt, endsAt } = (await give(member, 7)).body.data.grant;
    expect([startsAt, endsAt]).toEqual([paidUntil, later(paidUntil, 7)]);
    expect([await entitledUntil(member), await giftOf(member)]).toEqual([endsAt, { from: paidUntil, until: endsAt }]);
    expect((await revenue()).monthlyRecurring).toEqual(bought.monthlyRecurring);
    const mail = (await app.outbox(member.email)).find(({ text }) => text.includes('Our team gives you more premium'));
    expect(mail?.text).toContain(`7 days. It begins when what you pay for ends, on ${paidUntil.slice(0, 10)}`);
    await passUntil(app, later(paidUntil, 1));
    const renewed =
      (await app.call(currentSubscription, { token: member.token })).body.subscription.currentPeriodEnd ?? '';
    expect(renewed > paidUntil).toBe(true);
    expect(await giftOf(member)).toEqual({ from: renewed, until: later(renewed, 7) });
  });

  /** Changes to the payments of a member who was given seven days; each returns when the gift begins and how many days are left. */
  it.each(
    Object.entries<(member: TestMember, paidUntil: string) => Promise<[from: string, days: number]>>({
      'the end of a canceled plan': async ({ token }, paidUntil) => {
        await app.call(cancelSubscription, { token, body: {} });
        return [paidUntil, 7];
      },
      'the end of a longer plan': async ({ token }) => {
        await app.call(updateSubscription, { token, body: { plan: 'annual' } });
        await settle(app);
        const { subscription } = (await app.call(currentSubscription, { token })).body;
        expect(subscription.plan).toBe('annual');
        return [subscription.currentPeriodEnd ?? '', 7];
      },
      'the end of an earlier gift, after paid time': async (member, paidUntil) => {
        await give(member, 3);
        return [paidUntil, 10];
      },
    }),
  )('begins at %s, and then counts down to the end of premium', async (_what, change) => {
    const member = await makeMember(app);
    const { currentPeriodEnd } = await buyPremium(app, member);
    await give(member, 7);
    const [from, days] = await change(member, currentPeriodEnd ?? '');
    expect(await giftOf(member)).toEqual({ from, until: later(from, days) });
    expect(await entitledUntil(member)).toBe(later(from, days));
    await app.call(cancelSubscription, { token: member.token, body: {} });
    await passUntil(app, later(from, days - 0.1));
    expect([await isVip(app, member), await giftOf(member)]).toEqual([true, { until: later(from, days) }]);
    await passUntil(app, later(from, days + 0.1));
    expect(await isVip(app, member)).toBe(false);
  });

  it('keeps premium while a payment is overdue, and is extended again once that is paid', async () => {
    const member = await makeMember(app);
    const { currentPeriodEnd } = await buyPremium(app, member, { card: 'tok_renewal_fails' });
    const paidUntil = currentPeriodEnd ?? '';
    await give(member, 7);
    await passUntil(app, later(paidUntil, 2));
    expect((await app.call(currentSubscription, { token: member.token })).body.subscription.status).toBe('past_due');
    expect([await isVip(app, member), await giftOf(member)]).toEqual([true, { until: later(paidUntil, 7) }]);
    const { data: card } = (await app.call(createSetupIntent, { token: member.token })).body;
    await payWith(app, { ...card, paymentIntentId: null }, 'tok_mastercard');
    await app.drain();
    const { subscription } = (await app.call(currentSubscription, { token: member.token })).body;
    const from = subscription.currentPeriodEnd ?? '';
    expect([subscription.status, from > later(paidUntil, 20)]).toEqual(['active', true]);
    expect(await giftOf(member)).toEqual({ from, until: later(from, 7) });
  });

  it('starts now when the payment of a subscription is returned', async () => {
    const member = await makeMember(app);
    await buyPremium(app, member);
    await give(member, 7);
    await app.call(refundSandboxInvoice, {
      token: administrator.token,
      params: { id: await newestInvoiceId(app, member) },
    });
    await settle(app);
    const gift = await giftOf(member);
    expect([await isVip(app, member), gift]).toEqual([true, { until: await entitledUntil(member) }]);
  });

  it('lets the member buy premium meanwhile, and keeps what was bought', async () => {
    const member = await makeMember(app);
    const { startsAt } = (await give(member, 3)).body.data.grant;
    const { currentPeriodEnd, currentPeriodStart } = await buyPremium(app, member);
    const usedMs = Date.parse(currentPeriodStart ?? '') - Date.parse(startsAt);
    const until = new Date(Date.parse(later(currentPeriodEnd ?? '', 3)) - usedMs).toISOString();
    expect([await entitledUntil(member), await giftOf(member)]).toEqual([until, { from: currentPeriodEnd, until }]);
  });

  it('adds a second gift to the end of the first', async () => {
    const member = await makeMember(app);
    const first = (await give(member, 3)).body.data.grant;
    const second = (await give(member, 4)).body.data.grant;
    expect([second.startsAt, second.endsAt]).toEqual([first.endsAt, later(first.endsAt, 4)]);
    expect(await giftOf(member)).toEqual({ until: second.endsAt });
  });

  it.each<[StaffRole, number]>([
    ['support', 7],
    ['billing', 31],
    ['senior', 31],
    ['admin', 366],
  ])('is limited for %s to %i days at once, and for a person within a year', async (role, most) => {
    const by = await colleague(role);
    const member = await makeMember(app);
    if (most < 366) expect((await give(member, most + 1, by)).status).toBe(403);
    expect((await give(member, most, by)).status).toBe(201);
    expect((await give(member, 1, by)).status).toBe(409);
  });

  it('gives no more than the limit to a person helped by two colleagues at the same time', async () => {
    const member = await makeMember(app);
    const [one, other] = [await colleague('support'), await colleague('support')];
    const answers = await Promise.all([give(member, 7, one), give(member, 7, other)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
  });

  it('returns 409 for staff, locked and leaving accounts, and 404 for unknown ones', async () => {
    const locked = await makeMember(app);
    await lockOut(app, locked);
    for (const person of [await colleague('support'), locked, await makeMember(app, { leaving: true })])
      expect((await give(person, 3)).status).toBe(409);
    expect((await give({ id: 'unknown' }, 3)).status).toBe(404);
  });

  it('is shown to staff with the reason, and in the member’s own data without it', async () => {
    const member = await makeMember(app);
    const { grant } = (await give(member, 3)).body.data;
    const query = { userId: member.id };
    const listed = await app.call(listSubscriptions, { token: administrator.token, query });
    expect(listed.body.data.grants).toEqual([grant]);
    const own = await app.call(listSubscriptions, { token: member.token });
    expect(own.raw).not.toContain(reason);
    const { gifts } = await premiumData(app.db, member.id);
    const { by: _, reason: __, ...gift } = grant;
    expect(JSON.parse(JSON.stringify(gifts))).toEqual([gift]);
  });
});

describe('POST /admin/premium-grants/{id}/revoke', () => {
  it('ends the gift now and keeps what was paid for', async () => {
    const [giftOnly, payer] = [await makeMember(app), await makeMember(app)];
    const { currentPeriodEnd } = await buyPremium(app, payer);
    for (const member of [giftOnly, payer]) {
      const { grant } = (await give(member, 60)).body.data;
      const { status, body } = await revoke(grant._id);
      expect([status, body.data.grant.revokedAt === null]).toEqual([200, false]);
      expect((await revoke(grant._id)).status).toBe(409);
      expect(await giftOf(member)).toBeNull();
    }
    expect([await isVip(app, giftOnly), await entitledUntil(giftOnly)]).toEqual([false, null]);
    expect([await isVip(app, payer), await entitledUntil(payer)]).toEqual([true, currentPeriodEnd]);
    const texts = (await app.outbox(giftOnly.email)).map(({ text }) => text);
    expect(texts.filter((text) => text.includes('Our team ended the gift'))).toHaveLength(1);
  });

  it('lets a later gift start at once, so that premium lasts as long as the remaining gifts', async () => {
    const [member, support] = [await makeMember(app), await colleague('support')];
    const first = (await give(member, 6, support)).body.data.grant;
    const second = (await give(member, 1, support)).body.data.grant;
    await passUntil(app, later(first.startsAt, 0.5));
    const { revokedAt } = (await revoke(first._id, support)).body.data.grant;
    const query = { userId: member.id };
    const { grants = [] } = (await app.call(listSubscriptions, { token: administrator.token, query })).body.data;
    const until = later(revokedAt ?? '', 1);
    expect(grants.find(({ _id }) => _id === second._id)).toMatchObject({ startsAt: revokedAt, endsAt: until });
    expect([await entitledUntil(member), await giftOf(member)]).toEqual([until, { until }]);
    expect([(await give(member, 6, support)).status, (await give(member, 5, support)).status]).toEqual([409, 201]);
    await passUntil(app, later(until, 5.1));
    expect(await isVip(app, member)).toBe(false);
  });

  it('returns 403 to roles that could not have given it', async () => {
    const { grant } = (await give(await makeMember(app), 30)).body.data;
    expect((await revoke(grant._id, await colleague('support'))).status).toBe(403);
    expect((await revoke(grant._id, await colleague('billing'))).status).toBe(200);
    expect((await revoke('unknown')).status).toBe(404);
  });
});
