import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { termsVersion } from '#contract/constants.ts';
import type { AnswerOf } from '#contract/endpoint.ts';
import { getFigures } from '#contract/service/figures.ts';
import { serve } from '../../../test/fake-server.ts';
import { administrator, ownUser } from '../../../test/fixtures/people.ts';
import { currentAddress, renderApp, serviceConfig } from '../../../test/render-app.tsx';
import { connectSocket, receiveOverSocket } from '../../../test/test-socket.ts';
import { showBrand } from '../../brand.ts';
import { useSession } from '../../features/auth/session/session.ts';
import { formatDay } from '../../ui/text/format.ts';

const mail = 'mailto:support@heartwood.test';
const numbers = Array.from({ length: 8 }, (_, index) => `${index + 1}. `);

describe('the privacy policy', () => {
  it('has eight numbered sections, their date, the minimum age and a link to support', async () => {
    renderApp('/privacy');
    expect(await screen.findByRole('heading', { level: 1, name: 'Privacy Policy' })).toBeVisible();
    const sections = screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent);
    expect(sections.map((title) => title.slice(0, 3))).toEqual([...numbers, 'Sup']);
    expect(screen.getByText('Last updated: Oct 20, 2025')).toBeVisible();
    expect(screen.getByText('Heartwood is not for people under 18.')).toBeVisible();
    expect(await screen.findByRole('link', { name: 'Contact Support' })).toHaveAttribute('href', mail);
    expect(document.title).toBe('Privacy Policy · Heartwood');
  });
});

describe('the supplement', () => {
  it.each([
    [
      '/privacy',
      [/people you know/i, /photos/i, /dates/i, /checks/i, /selfies/i, /fraud/i, /authorities/i, /payments/i],
    ],
    ['/app/terms', [/withdrawing/i, /fraud/i, /photos/i]],
  ])('of %s shows the version that people agree to as its date, and covers its topics', async (path, topics) => {
    renderApp(path);
    const place = (await screen.findByRole('heading', { level: 2, name: 'Supplement' })).closest('section');
    if (place === null) throw new Error('No supplement');
    expect(within(place).getByText(`Last updated: ${formatDay(termsVersion)}`)).toBeVisible();
    const titles = within(place).getAllByRole('heading', { level: 3 });
    expect(titles).toHaveLength(topics.length);
    for (const [index, topic] of topics.entries()) expect(titles[index]).toHaveTextContent(topic);
  });
});

describe('the FAQs', () => {
  it('open and close ten questions', async () => {
    const { person } = renderApp('/faqs');
    const main = within(await screen.findByRole('main'));
    const questions = (await main.findAllByRole('button')).filter((button) => button.hasAttribute('aria-expanded'));
    expect(questions).toHaveLength(10);
    const [first] = questions;
    if (!first) throw new Error('No question');
    const answer = main.getByText(/^Choose Join/);
    expect(answer).not.toBeVisible();
    await person.click(first);
    expect(first).toHaveAttribute('aria-expanded', 'true');
    expect(answer).toBeVisible();
    await person.click(first);
    expect(answer).not.toBeVisible();
  });

  it('cover the ten topics', async () => {
    renderApp('/faqs');
    await screen.findByRole('heading', { level: 1 });
    const titles = screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent);
    const topics = [
      /account/,
      /matching/,
      /Premium/,
      /report/,
      /delete/,
      /password/,
      /liked me/,
      /location/,
      /not work/,
      /notifications/,
    ];
    topics.forEach((topic, index) => expect(titles[index]).toMatch(topic));
    expect(screen.getByText(/monthly, quarterly or annual plan/)).toBeInTheDocument();
    expect(await screen.findByRole('link', { name: 'Contact Support' })).toHaveAttribute('href', mail);
  });
});

describe('the home page', () => {
  it('shows hero, features and figures', async () => {
    renderApp('/home', ownUser());
    expect(await screen.findByRole('heading', { level: 1, name: 'Find Your Perfect Match' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Get Started' })).toHaveAttribute('href', '/app/discover');
    expect(screen.getByRole('link', { name: 'Learn More' })).toHaveAttribute('href', '/faqs');
    for (const feature of ['Safe & Secure', 'Smart Matching', 'Global Community']) {
      expect(screen.getByRole('heading', { level: 2, name: feature })).toBeVisible();
    }
    const figures = within(await screen.findByRole('region', { name: 'Heartwood in figures' }));
    const terms = figures.getAllByRole('term').map((term) => term.textContent);
    const values = figures.getAllByRole('definition').map((value) => value.textContent);
    expect(terms).toEqual(['Active Users', 'Success Stories', 'Satisfaction', 'Support']);
    expect(values).toEqual(['50K+', '1K+', '95%', '24/7']);
  });

  /** Home of a member after the owner has chosen these figures. */
  async function openWith(data: AnswerOf<typeof getFigures>['data']) {
    renderApp('/home', ownUser());
    serve(getFigures, () => ({ data }));
    await connectSocket();
    await receiveOverSocket({ kind: 'service' });
  }

  it.each<[string, AnswerOf<typeof getFigures>['data'], string, string]>([
    [
      'own words',
      { source: 'own', own: { en: [{ value: '<b>7</b>', label: 'Towns' }] }, live: [] },
      '<b>7</b>',
      'Towns',
    ],
    ['counts', { source: 'live', own: {}, live: [{ figure: 'members', atLeast: 12_000 }] }, '12K+', 'Members'],
  ])('shows %s in place of the usual figures where the owner wants that', async (_, data, value, term) => {
    await openWith(data);
    const figures = within(await screen.findByRole('region', { name: 'Heartwood in figures' }));
    expect(await figures.findByText(value)).toBeVisible();
    expect(figures.getAllByRole('definition')).toHaveLength(1);
    expect(figures.getByRole('term')).toHaveTextContent(term);
  });

  it('explains only the name of the product', async () => {
    renderApp('/home', ownUser());
    expect(await screen.findByText(/^Heartwood is the core .* Meet people who/)).toBeVisible();
    act(() => showBrand({ ...serviceConfig().brand, name: 'Kastanie' }));
    expect(screen.getByText(/^Meet people who/)).toBeVisible();
    act(() => showBrand(serviceConfig().brand));
  });

  it('leaves the figures out while all counts are small', async () => {
    await openWith({ source: 'live', own: {}, live: [] });
    await waitFor(() => expect(screen.queryByText('50K+')).toBeNull());
    expect(screen.queryByRole('region', { name: 'Heartwood in figures' })).toBeNull();
  });

  it.each([
    ['free', false, 'What premium adds', '/app/premium'],
    ['with premium', true, 'Your plan', '/app/settings/plan'],
  ])('shows the next step to a member who is %s', async (_, isVIP, name, href) => {
    renderApp('/home', ownUser({ _id: `premium ${isVIP}`, isVIP }));
    expect(await screen.findByRole('link', { name })).toHaveAttribute('href', href);
  });

  it('offers staff no premium', async () => {
    renderApp('/home', administrator());
    await screen.findByRole('heading', { level: 1 });
    await waitFor(() => expect(useSession.getState().isVIP).toBe(false));
    expect(screen.queryByRole('link', { name: 'What premium adds' })).toBeNull();
  });

  it('asks to confirm the email address while it is unconfirmed', async () => {
    renderApp('/home', ownUser({ isEmailVerified: false }));
    expect(await screen.findByRole('link', { name: 'Confirm email' })).toHaveAttribute('href', '/app/verify-email');
    expect(screen.queryByRole('link', { name: 'Finish your profile' })).toBeNull();
  });

  it('offers to finish the profile while it is incomplete', async () => {
    renderApp('/home', ownUser({ _id: 'newcomer', profileComplete: false }));
    expect(await screen.findByRole('link', { name: 'Finish your profile' })).toHaveAttribute('href', '/app/welcome');
  });
});

describe('the terms', () => {
  it('have numbered sections, their date, the minimum age and a link to support', async () => {
    renderApp('/app/terms');
    expect(await screen.findByRole('heading', { level: 1, name: 'Terms' })).toBeVisible();
    const titles = screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent);
    expect(titles.map((title) => title.slice(0, 3))).toEqual([...numbers, 'Sup']);
    for (const topic of [/join/, /treat/, /reports/, /Premium/, /Deleting your account/, /reach us/])
      expect(titles.some((title) => topic.test(title))).toBe(true);
    expect(screen.getByText('Last updated: Oct 20, 2025')).toBeVisible();
    expect(screen.getByText('Heartwood is not for people under 18.')).toBeVisible();
    expect(await screen.findByRole('link', { name: 'Contact Support' })).toHaveAttribute('href', mail);
    expect(document.title).toBe('Terms · Heartwood');
  });
});

describe("the members' layout", () => {
  it("has the links, the member's name and Logout", async () => {
    renderApp('/home', ownUser());
    await screen.findByRole('heading', { level: 1 });
    const header = within(screen.getByRole('banner'));
    const linksIn = (name: string) =>
      within(header.getByRole('navigation', { name }))
        .getAllByRole('link')
        .map((link) => link.textContent);
    expect(linksIn('Main')).toEqual(['Discover', 'Likes', 'Messages', 'Profile']);
    expect(linksIn('More').slice(-3)).toEqual(['Home', 'FAQs', 'Privacy']);
    expect(header.getByText('Ada Byron')).toBeVisible();
    expect(header.getByRole('button', { name: 'Logout' })).toBeVisible();
    expect(header.getByRole('link', { current: 'page' })).toHaveTextContent('Home');
  });

  it('starts with a skip link to the page', async () => {
    const { person } = renderApp('/faqs');
    await screen.findByRole('heading', { level: 1 });
    await person.tab();
    expect(screen.getByRole('link', { name: 'Skip to main content' })).toHaveFocus();
    expect(screen.getByRole('link', { name: 'Skip to main content' })).toHaveAttribute(
      'href',
      `#${screen.getByRole('main').id}`,
    );
  });

  it('has the footer of the specification', async () => {
    renderApp('/faqs');
    const footer = within(await screen.findByRole('contentinfo'));
    expect(footer.getByText('© 2025 Heartwood')).toBeVisible();
    // The address comes with the configuration, which may be later than the page.
    await waitFor(() => expect(footer.getByRole('link', { name: 'Contact Us' })).toHaveAttribute('href', mail));
    expect(footer.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['Home', '/home'],
      ['FAQs', '/faqs'],
      ['Privacy Policy', '/privacy'],
      ['Contact Us', mail],
      ['Help Center', null],
      ['Safety Tips', null],
    ]);
  });

  it('moves the focus to the heading of the next page', async () => {
    const { person } = renderApp('/faqs');
    await screen.findByRole('heading', { level: 1 });
    expect(document.body).toHaveFocus();
    await person.click(within(screen.getByRole('banner')).getByRole('link', { name: 'Privacy' }));
    await waitFor(() => expect(screen.getByRole('heading', { level: 1, name: 'Privacy Policy' })).toHaveFocus());
    expect(currentAddress()).toBe('/privacy');
  });

  it('offers visitors both sign-in pages', async () => {
    renderApp('/privacy');
    const header = within(await screen.findByRole('banner'));
    expect(header.getByRole('link', { name: 'Sign in' })).toHaveAttribute('href', '/app/sign-in');
    expect(header.getByRole('link', { name: 'Join' })).toHaveAttribute('href', '/app/join');
  });
});
