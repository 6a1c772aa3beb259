import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { createSubscription, currentSubscription, listSubscriptions } from '#contract/subscriptions/subscriptions.ts';
import { getPremiumGift } from '#contract/subscriptions/grants.ts';
import { CutOff, failWith, received, Refusal, serve } from '../../../test/fake-server.ts';
import { serveLikes } from '../../../test/fixtures/likes.ts';
import { administrator, ownUser } from '../../../test/fixtures/people.ts';
import {
  offeredPlans,
  ownSubscription,
  servePremium,
  startedPayment,
  unfinished,
} from '../../../test/fixtures/premium.ts';
import { currentAddress, renderApp, serviceConfig } from '../../../test/render-app.tsx';

const providers = serviceConfig().providers;

/** Opens the page with this configuration of the service. */
function open(config: Parameters<typeof serviceConfig>[0] = {}, at = '/app/premium') {
  return renderApp(at, ownUser(), ownUser(), () => serviceConfig(config));
}

const plan = (name: RegExp) => screen.getByRole('radio', { name });
const terms = async (text: RegExp) => expect(await screen.findByText(text)).toBeVisible();

describe('the premium page', () => {
  it('is linked from the menu and the home page, and has its own title', async () => {
    servePremium();
    const { person } = renderApp('/home', ownUser());
    expect(await screen.findByRole('link', { name: 'What premium adds' })).toHaveAttribute('href', '/app/premium');
    await person.click(within(screen.getByRole('banner')).getByRole('link', { name: 'Premium' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'Premium' })).toHaveFocus();
    expect(document.title).toBe('Premium · Heartwood');
    expect(currentAddress()).toBe('/app/premium');
  });

  it('compares free and premium and shows what no one can buy', async () => {
    servePremium();
    const { person } = open();
    await person.click(await screen.findByRole('button', { name: 'What premium adds' }));
    const adds = within(screen.getByRole('table', { name: 'What premium adds' }));
    expect(adds.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual(['Free', 'Premium']);
    const compared = (what: RegExp) =>
      within(adds.getByRole('row', { name: what }))
        .getAllByRole('cell')
        .map((cell) => cell.textContent || within(cell).getByRole('img').getAttribute('aria-label'));
    expect(compared(/^Message your matches/)).toEqual(['Included', 'Included']);
    expect(compared(/^Likes/)).toEqual(['30 a day', 'Unlimited']);
    expect(compared(/^See who liked you/)).toEqual(['Not included', 'Included']);
    const filters = compared(/^Filters/)[1];
    for (const filter of ['height', 'children', 'smoking', 'drinking', 'exercise', 'languages', 'looking for'])
      expect(filters).toContain(filter);
    const stays = within(screen.getByRole('region', { name: 'What stays the same for everyone' }));
    expect(stays.getByText(/^Messaging a match is free for both of you, always/)).toBeVisible();
  });

  it('shows the end of a gift from the team, beside the plans', async () => {
    servePremium();
    serve(getPremiumGift, () => ({ data: { gift: { until: '2025-11-03T12:00:00.000Z' } } }));
    renderApp('/app/premium', ownUser({ isVIP: true }));
    expect(await screen.findByText(/^Premium until Nov 3, 2025, a gift from the team\./)).toBeVisible();
    expect(await screen.findByRole('button', { name: 'Continue to payment' })).toBeVisible();
  });

  it("starts with the member's own likes behind patterns, and what reveals them", async () => {
    servePremium();
    serveLikes({ hidden: 3 });
    open();
    expect(await screen.findByText('3 people like you.')).toBeVisible();
    expect(screen.getByRole('main').querySelectorAll('svg[data-hue]')).toHaveLength(3);
    expect(await screen.findByText('See who likes you')).toBeVisible();
  });

  it('shows the note that no money moves only in the sandbox', async () => {
    servePremium();
    const { unmount } = open();
    expect(await screen.findByText('Test payments. No money moves.')).toBeVisible();
    unmount();
    open({ providers: { ...providers, payments: null } });
    expect(await screen.findByText("Premium isn't available here at the moment.")).toBeVisible();
    expect(screen.queryByText('Test payments. No money moves.')).toBeNull();
    expect(screen.queryByRole('radio')).toBeNull();
  });
});

describe('the plans', () => {
  it('show price, price per month and savings, with the smallest selected', async () => {
    servePremium();
    open();
    expect(await screen.findByRole('radio', { name: /^Monthly/ })).toBeChecked();
    expect(plan(/^Monthly/)).toHaveAccessibleName('Monthly $14.99 per month');
    expect(plan(/^Quarterly/)).toHaveAccessibleName('Quarterly $11.99 per month $35.97 every 3 months Saves 20%');
    expect(plan(/^Annual/)).toHaveAccessibleName('Annual $9.99 per month $119.88 a year Saves 33%');
    await terms(/^\$14\.99 now, then every month until you cancel\. Cancel in two clicks in Settings\.$/);
    expect(screen.getByRole('link', { name: 'Terms' })).toHaveAttribute('href', '/app/terms');
  });

  it('show their total charge and stay selected across a reload', async () => {
    servePremium();
    const { person } = open();
    await person.click(await screen.findByRole('radio', { name: /^Annual/ }));
    await terms(/^\$119\.88 now, then every year until you cancel/);
    expect(currentAddress()).toBe('/app/premium?plan=annual');
    await person.click(plan(/^Quarterly/));
    await terms(/^\$35\.97 now, then every 3 months until you cancel/);
  });

  it("use the service's currency, without decimals if it has none", async () => {
    servePremium();
    const yen = offeredPlans.map((offered) => ({
      ...offered,
      price: { ...offered.price, currency: 'JPY' },
      pricePerMonth: { ...offered.pricePerMonth, currency: 'JPY' },
    }));
    open({ premium: { plans: yen, trialDays: 0 } });
    expect(await screen.findByRole('radio', { name: 'Monthly ¥1,499 per month' })).toBeChecked();
  });
});

describe('a free trial', () => {
  const trial = { premium: { plans: offeredPlans, trialDays: 7 } };

  it('is offered to members who never had one, with the later charge and its date', async () => {
    servePremium();
    open(trial);
    await terms(/^Nothing now: 7 days free\. From \w+ \d+, \d{4} on \$14\.99 every month until you cancel\./);
  });

  it('is not offered a second time', async () => {
    servePremium({ all: [ownSubscription({ status: 'canceled', trialStart: '2025-01-01T00:00:00.000Z' })] });
    open(trial);
    await terms(/^\$14\.99 now, then every month/);
    expect(screen.queryByText(/free\./)).toBeNull();
  });
});

describe('asking to start at once', () => {
  const startNow = () => screen.queryByRole('checkbox', { name: /^Start now\./ });
  const withdrawal = /^.*For 14 days you can withdraw/;

  it('is optional, and sent only if it was ticked', async () => {
    servePremium();
    serve(createSubscription, () => ({ data: startedPayment() }));
    const { person } = open();
    expect(await screen.findByText(withdrawal)).toBeVisible();
    expect(startNow()).not.toBeChecked();
    await person.click(startNow() ?? document.body);
    await person.click(screen.getByRole('button', { name: 'Continue to payment' }));
    expect(await screen.findByRole('heading', { level: 2, name: 'Payment' })).toHaveFocus();
    expect(received(createSubscription).map(({ body }) => body)).toEqual([{ plan: 'monthly', startNow: true }]);
  });

  it('is not offered if the law gives no right to withdraw', async () => {
    servePremium();
    open({ premium: { ...serviceConfig().premium, withdrawalCountries: ['Atlantis'] } });
    expect(await screen.findByRole('button', { name: 'Continue to payment' })).toBeVisible();
    expect(startNow()).toBeNull();
    expect(screen.queryByText(withdrawal)).toBeNull();
  });
});

describe('an unfinished purchase', () => {
  it('is resumed', async () => {
    servePremium({ all: [unfinished({ plan: 'annual' })] });
    serve(createSubscription, ({ body }) => ({
      data: startedPayment({ subscription: unfinished({ plan: body.plan }) }),
    }));
    const { person } = open();
    expect(
      await screen.findByText(/^You started to buy the Annual plan on Oct 20, 2025 but didn't finish/),
    ).toBeVisible();
    expect(plan(/^Annual/)).toBeChecked();
    await person.click(screen.getByRole('button', { name: 'Finish payment' }));
    expect(await screen.findByRole('heading', { level: 2, name: 'Payment' })).toHaveFocus();
    expect(received(createSubscription).map(({ body }) => body)).toEqual([{ plan: 'annual' }]);
  });

  it("is hidden when it can't be loaded, and the plans are shown", async () => {
    servePremium({ all: [unfinished({ plan: 'annual' })] });
    failWith(listSubscriptions, new CutOff());
    open();
    expect(await screen.findByRole('radio', { name: /^Monthly/ })).toBeChecked();
    await waitFor(() => expect(received(listSubscriptions)).toHaveLength(3));
    expect(screen.queryByText(/didn't finish/)).toBeNull();
    expect(screen.queryByRole('alert')).toBeNull();
  });
});

describe('the page of a member with premium', () => {
  it('shows their plan with a link, and no offer', async () => {
    servePremium({ current: ownSubscription() });
    open();
    const held = within(await screen.findByRole('region', { name: 'You have premium' }));
    expect(held.getByText('Monthly')).toBeVisible();
    expect(held.getByText('Active')).toBeVisible();
    expect(held.getByText(/^Renews on Nov 20, 2025 for \$14\.99\.$/)).toBeVisible();
    expect(held.getByRole('link', { name: 'Your plan in Settings' })).toHaveAttribute('href', '/app/settings/plan');
    expect(screen.queryByRole('radio')).toBeNull();
  });

  it('shows that the plan is paused once the paid period has ended', async () => {
    servePremium({ current: ownSubscription({ status: 'past_due', currentPeriodEnd: '2020-01-01T00:00:00.000Z' }) });
    open();
    expect(await screen.findByRole('region', { name: 'Your premium is on hold' })).toBeVisible();
    expect(screen.getByText('Payment failed')).toBeVisible();
  });
});

describe('staff', () => {
  it('see that premium is for members, without any request', async () => {
    servePremium();
    renderApp('/app/premium', administrator());
    expect(await screen.findByText("Premium is for members. Staff accounts can't have it.")).toBeVisible();
    expect(screen.getByRole('link', { name: 'Go to dashboard' })).toHaveAttribute('href', '/dashboard');
    expect(received(currentSubscription)).toEqual([]);
    expect(within(screen.getByRole('banner')).queryByRole('link', { name: 'Premium' })).toBeNull();
  });
});

describe('a loading failure', () => {
  it('hides the offers while the current plan is unknown', async () => {
    servePremium();
    failWith(currentSubscription, new CutOff());
    const { person } = open();
    expect(await screen.findByRole('alert')).toHaveTextContent(
      "Couldn't load your plan: No response from server. Please check your internet connection.",
    );
    expect(screen.queryByRole('radio')).toBeNull();
    servePremium();
    await person.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('radio', { name: /^Monthly/ })).toBeVisible();
  });

  it('shows why a purchase was refused, and the current plan', async () => {
    const known = servePremium();
    serve(createSubscription, () => {
      known.current = ownSubscription();
      throw new Refusal('CONFLICT', 'You already have premium. See your settings.');
    });
    const { person } = open();
    await person.click(await screen.findByRole('button', { name: 'Continue to payment' }));
    expect(await screen.findByRole('region', { name: 'You have premium' })).toBeVisible();
    known.current = null;
  });

  it('shows a refusal beside the button, which is always in view', async () => {
    servePremium();
    failWith(createSubscription, new Refusal('CONFLICT', 'Choose “Start now”.'));
    const { person } = open();
    const button = await screen.findByRole('button', { name: 'Continue to payment' });
    await person.click(button);
    expect(button.parentElement).toContainElement(await screen.findByRole('alert'));
  });
});
