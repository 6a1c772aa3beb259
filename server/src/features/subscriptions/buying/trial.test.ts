import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as calls from '#contract/subscriptions/subscriptions.ts';
import { makeMember, type TestMember } from '../../../../test/factories.ts';
import { startApp, type TestApp } from '../../../../test/harness.ts';
import {
  beginPremium,
  buyPremium,
  confirmPremium,
  isVip,
  passUntil,
  payWith,
  settle,
} from '../../../../test/premium.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ TRIAL_DAYS: '7' });
});
afterAll(() => app.close());

const current = (by: TestMember) => app.call(calls.currentSubscription, { token: by.token });
const cancel = (by: TestMember) => app.call(calls.cancelSubscription, { token: by.token, body: {} });

describe('a free trial', () => {
  test('requires a card, which is not charged', async () => {
    const member = await makeMember(app);
    const started = await beginPremium(app, member);
    expect([started.secretKind, started.paymentIntentId]).toEqual(['setup', null]);
    await settle(app);
    expect([(await current(member)).status, await isVip(app, member)]).toEqual([404, false]);
    await payWith(app, started, 'tok_visa');
    const confirmed = (await confirmPremium(app, member, started)).body.data.subscription;
    expect(confirmed).toMatchObject({ status: 'trialing', currentPeriodEnd: '2026-06-22T12:00:00.000Z' });
    expect(await isVip(app, member)).toBe(true);
  });

  test('is granted once per account and once per card', async () => {
    const [first, sameCard] = [await makeMember(app), await makeMember(app)];
    await buyPremium(app, first, { card: 'tok_mastercard' });
    const started = await beginPremium(app, sameCard);
    await payWith(app, started, 'tok_mastercard');
    const refused = await confirmPremium(app, sameCard, started);
    expect([refused.status, refused.error.code]).toEqual([422, 'PAYMENT_DECLINED']);
    await settle(app);
    expect([await isVip(app, sameCard), (await current(sameCard)).status]).toEqual([false, 404]);
    const second = await beginPremium(app, sameCard);
    expect(second.secretKind).toBe('payment');
    await payWith(app, second, 'tok_mastercard');
    expect((await confirmPremium(app, sameCard, second)).body.data.subscription.status).toBe('active');
  });

  test('is charged at its end unless cancelled', async () => {
    const [stays, goes] = [await makeMember(app), await makeMember(app)];
    await buyPremium(app, stays, { card: 'tok_challenge' }).catch(() => undefined);
    const started = await beginPremium(app, goes);
    await payWith(app, started, 'tok_renewal_fails');
    await confirmPremium(app, goes, started);
    expect((await cancel(goes)).body.data.subscription).toMatchObject({ status: 'trialing', cancelAtPeriodEnd: true });
    await passUntil(app, '2026-06-22T12:01:00Z');
    expect([await isVip(app, goes), (await current(goes)).status]).toEqual([false, 404]);
    const again = await beginPremium(app, goes);
    expect(again.secretKind).toBe('payment');
  });
});
