import { describe, expect, it } from 'vitest';
import { appealByLink, openAppealLink, refundByLink, requestAppealLink } from '#contract/moderation/appeals.ts';
import { getRevenue } from '#contract/subscriptions/subscriptions.ts';
import { makeAdministrator, makeMember, signIn, type TestMember } from '../../../../test/factories.ts';
import { startAppForTests } from '../../../../test/harness.ts';
import { letIn, lockedToken, lockOut } from '../../../../test/locked.ts';
import { buyPremium, isVip, newestInvoiceId, passUntil, settle } from '../../../../test/premium.ts';
import { appealTokenOf } from '../../../../test/moderation/reports.ts';
import { refundSandboxInvoice } from '#contract/subscriptions/payments-sandbox.ts';

const app = startAppForTests();

const open = async (token: string) => app.call(openAppealLink, { body: { token } });
const refund = async (token: string) => app.call(refundByLink, { body: { token } });
const invoiceOf = ({ id }: TestMember) =>
  app.db.selectFrom('invoice').selectAll().where('account_id', '=', id).executeTakeFirstOrThrow();
const subscriptionOf = ({ id }: TestMember) =>
  app.db.selectFrom('subscription').selectAll().where('account_id', '=', id).executeTakeFirstOrThrow();

/** A member who paid and was then locked out, and the token they were mailed. */
async function lockedPayer() {
  const member = await makeMember(app);
  await buyPremium(app, member);
  await lockOut(app, member);
  return { member, token: await lockedToken(app, member.email) };
}

const revenue = async () => (await app.call(getRevenue, { token: (await makeAdministrator(app)).token })).body.data;

describe('POST /appeals/link/request', () => {
  it('mails a link to locked members only, and returns the same answer to everyone', async () => {
    const [locked, member, leaving] = [
      await makeMember(app),
      await makeMember(app),
      await makeMember(app, { leaving: true }),
    ];
    const colleague = await makeMember(app, { staffRole: 'support' });
    for (const person of [locked, leaving, colleague]) await lockOut(app, person);
    const answers = [];
    for (const { email } of [locked, member, leaving, colleague, { email: 'unknown@example.test' }])
      answers.push((await app.call(requestAppealLink, { body: { email } })).raw);
    expect(new Set(answers).size).toBe(1);
    await app.drain();
    const sent = await Promise.all([locked, member, leaving, colleague].map(({ email }) => app.outbox(email)));
    expect(sent.map((mails) => mails.length)).toEqual([1, 0, 0, 0]);
  });

  it('mails three times a day at most, which ends at midnight (UTC)', async () => {
    const start = app.clock.now();
    app.clock.set(new Date('2026-06-15T23:59:59Z'));
    const { member } = await lockedPayer();
    for (let n = 0; n < 4; n += 1) await lockedToken(app, member.email);
    expect(await app.outbox(member.email)).toHaveLength(4);
    app.clock.advance(1);
    await lockedToken(app, member.email);
    expect(await app.outbox(member.email)).toHaveLength(5);
    app.clock.set(start);
  });

  it('sends a link to the decision that locked the account, which can also be appealed with it', async () => {
    const token = await appealTokenOf(app);
    const { notice: statement } = (await open(token)).body.data;
    const { email } = await app.db
      .selectFrom('account')
      .select('email')
      .where('id', '=', token.split('.')[1] ?? '')
      .executeTakeFirstOrThrow();
    const own = await lockedToken(app, email);
    expect((await open(own)).body.data.notice?._id).toBe(statement?._id);
    expect((await app.call(appealByLink, { body: { token: own, text: 'It was a song.' } })).status).toBe(201);
  });

  it('sends a link without a decision for accounts that were closed without a case, for a week', async () => {
    const member = await makeMember(app);
    await lockOut(app, member);
    const token = await lockedToken(app, member.email);
    expect((await open(token)).body.data).toEqual({
      notice: null,
      locked: { reason: 'Asked others for money', refund: null, mayExport: true, withdrawal: null },
    });
    app.clock.advance(7 * 86_400 + 1);
    expect((await open(token)).status).toBe(404);
  });
});

describe('the link of a mail about a decision', () => {
  it('offers nothing more to members who can sign in', async () => {
    const token = await appealTokenOf(app);
    expect((await open(token)).body.data.locked).not.toBeNull();
    await letIn(app, { id: token.split('.')[1] ?? '' });
    const { notice: statement, locked } = (await open(token)).body.data;
    expect([statement === null, locked]).toEqual([false, null]);
    expect((await refund(token)).status).toBe(409);
  });

  it('expires when the address changes and, without a decision, once the account is open again', async () => {
    const [{ member, token }, other] = [await lockedPayer(), await lockedPayer()];
    await letIn(app, member);
    expect((await open(token)).status).toBe(404);
    expect((await refund(token)).status).toBe(409);
    const email = `new-${other.member.email}`;
    await app.db.updateTable('account').set({ email }).where('id', '=', other.member.id).execute();
    expect((await open(other.token)).status).toBe(404);
    expect((await refund(other.token)).status).toBe(404);
  });
});

describe('POST /appeals/link/refund', () => {
  it('ends the subscription and pays back its unused days once, to the card', async () => {
    const { member, token } = await lockedPayer();
    const paid = await invoiceOf(member);
    const { locked } = (await open(token)).body.data;
    expect(locked?.refund).toMatchObject({ state: 'offered', amount: { amountMinor: paid.total_minor } });
    const answers = await Promise.all([refund(token), refund(token)]);
    expect(answers.map(({ body }) => body.data.refund.state)).toEqual(['started', 'started']);
    expect(await isVip(app, member)).toBe(false);
    await settle(app);
    expect((await open(token)).body.data.locked?.refund?.state).toBe('paid');
    const { refunded_minor } = await invoiceOf(member);
    expect([refunded_minor, (await subscriptionOf(member)).status]).toEqual([paid.total_minor, 'canceled']);
    const mails = await app.outbox(member.email);
    expect(mails.filter(({ text }) => text.includes('You get back'))).toHaveLength(1);
  });

  it('counts the days since the account was locked, and no longer counts the subscription as revenue', async () => {
    const before = await revenue();
    const member = await makeMember(app);
    await buyPremium(app, member, { startNow: true });
    const { period_start, period_end, total_minor } = await invoiceOf(member);
    const allDays = Math.round((period_end.getTime() - period_start.getTime()) / 86_400_000);
    await passUntil(app, new Date(period_start.getTime() + 10 * 86_400_000).toISOString());
    await lockOut(app, member);
    const token = await lockedToken(app, member.email);
    const { refund: given } = (await refund(token)).body.data;
    const amountMinor = Math.round((total_minor * (allDays - 10)) / allDays);
    expect(given).toMatchObject({ days: allDays - 10, amount: { amountMinor } });
    await settle(app);
    expect((await invoiceOf(member)).refunded_minor).toBe(amountMinor);
    const after = await revenue();
    expect([after.active, after.monthlyRecurring]).toEqual([before.active, before.monthlyRecurring]);
  });

  it('gives no premium for the refunded days once the account is open again, and allows a new purchase', async () => {
    const { member, token } = await lockedPayer();
    await refund(token);
    await settle(app);
    await letIn(app, member);
    expect(await isVip(app, member)).toBe(false);
    const again = { ...member, ...(await signIn(app, member.id)) };
    await buyPremium(app, again);
    expect(await isVip(app, again)).toBe(true);
  });

  it('returns 409 without premium, and after the payment was returned in full', async () => {
    const free = await makeMember(app);
    await lockOut(app, free);
    expect((await refund(await lockedToken(app, free.email))).status).toBe(409);
    const { member, token } = await lockedPayer();
    await letIn(app, member);
    const again = { ...member, ...(await signIn(app, member.id)) };
    const id = await newestInvoiceId(app, again);
    await app.call(refundSandboxInvoice, { token: (await makeAdministrator(app)).token, params: { id } });
    await settle(app);
    await lockOut(app, member);
    expect((await open(token)).body.data.locked?.refund).toBeNull();
    expect((await refund(token)).status).toBe(409);
  });
});
