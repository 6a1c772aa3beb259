import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { blockUser } from '#contract/connections.ts';
import { type CardView, getCards } from '#contract/discovery.ts';
import { createReport } from '#contract/moderation/reports.ts';
import { cardOf, onTop, openDeck, serveDeck, memberNamed, topCard } from '../../../test/fixtures/deck.ts';
import { failWith, received, Refusal, serve } from '../../../test/fake-server.ts';
import { ownReport } from '../../../test/fixtures/own-reports.ts';
import { administrator, ownUser } from '../../../test/fixtures/people.ts';
import { picture } from '../../../test/fixtures/pictures.ts';
import { currentAddress, renderApp } from '../../../test/render-app.tsx';

describe('the deck', () => {
  it.each([
    ['EMAIL_NOT_VERIFIED', 'Please confirm your e-mail address first', '/app/verify-email'],
    ['PROFILE_INCOMPLETE', 'Please complete your profile first', '/app/welcome'],
  ] as const)("shows the server's text for %s", async (code, words, way) => {
    serveDeck([]);
    failWith(getCards, new Refusal(code, words));
    renderApp('/app/discover', ownUser());
    expect(await screen.findByRole('alert')).toHaveTextContent(words);
    expect(screen.getByRole('link', { name: /^(Confirm email|Finish your profile)$/ })).toHaveAttribute('href', way);
  });

  it("shows staff that they can't use it", async () => {
    renderApp('/app/discover', administrator());
    expect(await screen.findByText("This is for members. Staff accounts can't use matching.")).toBeVisible();
    expect(screen.getByRole('link', { name: 'To the dashboard' })).toHaveAttribute('href', '/dashboard');
    expect(received(getCards)).toEqual([]);
  });

  it('opens for unknown member pages', async () => {
    serveDeck([cardOf('Bo')]);
    await openDeck('/app/nowhere');
    expect(currentAddress()).toBe('/app/discover');
  });
});

describe('a card', () => {
  it('is rendered without Intl objects, which are slow to create on a phone', async () => {
    const makers = (['DisplayNames', 'ListFormat', 'PluralRules', 'DateTimeFormat', 'NumberFormat'] as const).map(
      (name) => vi.spyOn(Intl, name),
    );
    const reasons: CardView['reasons'] = [
      { kind: 'languages', languages: ['en', 'pt', 'sv'] },
      { kind: 'interests', interests: ['hiking', 'chess'], areRare: false },
    ];
    serveDeck([
      cardOf('Bo', {
        reasons,
        user: memberNamed('Bo', {
          languages: ['en', 'pt'],
          lastActive: new Date(Date.now() - 3 * 3_600_000).toISOString(),
        }),
      }),
    ]);
    await openDeck();
    expect(await within(topCard()).findByText('Last active: 3h ago')).toBeVisible();
    expect(topCard()).toHaveTextContent('You both speak English, Portuguese, and Swedish');
    for (const make of makers) expect(make).not.toHaveBeenCalled();
  });

  it('shows name, age, city, rough distance, and compatibility', async () => {
    serveDeck([cardOf('Bo', { compatibilityScore: 85, compatibilityBand: 'high' })]);
    await openDeck();
    const card = within(topCard());
    expect(onTop()).toBe('Bo, 34');
    expect(card.getByText('Umeå · 3–\u20606 miles away')).toBeVisible();
    await card.findByRole('list', { name: 'About Bo' });
    expect(card.getAllByText(/Umeå|miles away/)).toHaveLength(1);
    expect(card.getByText('Great match')).toBeVisible();
    expect(card.getByText(/^Based on what you both told us\.$/)).toBeVisible();
  });

  it('has no gaps for an almost empty profile', async () => {
    const nothing = { firstName: null, name: null, age: null, bio: null, location: null, pictures: [] };
    serveDeck([cardOf('Bo', { user: memberNamed('Bo', nothing), distance: null, distanceFormatted: null })]);
    await openDeck();
    expect(onTop()).toBe('This person');
    expect(topCard()).not.toHaveTextContent(/null|undefined|NaN|match/);
    expect(within(topCard()).queryByRole('list', { name: /^Why/ })).toBeNull();
  });

  it('gives reasons with languages, interests and numbers in readable form', async () => {
    serveDeck([
      cardOf('Bo', {
        reasons: [
          { kind: 'ages', viewerAge: 31 },
          { kind: 'languages', languages: ['sv', 'en'] },
          { kind: 'interests', interests: ['climbing', 'chess'], areRare: true },
        ],
      }),
    ]);
    await openDeck();
    const reasons = within(screen.getByRole('list', { name: 'Why you see Bo' })).getAllByRole('listitem');
    expect(reasons.map((reason) => reason.textContent)).toEqual([
      'You are 31, within the age range Bo is looking for, and Bo is within yours',
      'You both speak Swedish and English',
      'Rare shared interest: climbing and chess',
    ]);
  });

  it.each([
    ['no reason', []],
    ['a reason', [{ kind: 'near', distance: '5–10 km away' } as const]],
  ])('discloses premium apart from the photo with %s', async (_case, reasons) => {
    serveDeck([cardOf('Bo', { reasons: [...reasons, { kind: 'premium' }] })]);
    await openDeck();
    expect(within(topCard()).getAllByText('Premium: shown a little earlier')).toHaveLength(1);
    expect(screen.getByText('Premium: shown a little earlier').closest('[data-words]')).not.toBeNull();
    expect(within(topCard()).queryAllByText('Close by: 3–\u20606 miles away')).toHaveLength(2 * reasons.length);
  });

  it('shows the whole profile in one scroll, alternating pictures and answers', async () => {
    const user = memberNamed('Bo', {
      interests: ['chess'],
      pictures: ['one', 'two', 'three'].map((word) => picture(word)),
      prompts: [
        { prompt: 'ask-me', answer: 'bread' },
        { prompt: 'kitchen-pride', answer: 'soup' },
      ],
      goal: 'friendship',
    });
    serveDeck([cardOf('Bo', { user })]);
    await openDeck();
    for (const words of ['I am Bo.', 'chess', 'bread', 'Friendship'])
      expect(await screen.findByText(words)).toBeVisible();
    const parts = [...topCard().querySelectorAll('[data-part]')];
    expect(
      parts.map((part) => part.querySelector('img')?.alt ?? part.querySelector('blockquote')?.textContent),
    ).toEqual(['bread', 'Bo: picture 2 of 3', 'soup', 'Bo: picture 3 of 3']);
  });

  it('highlights shared interests', async () => {
    const user = memberNamed('Bo', { interests: ['chess', 'tea'], goal: 'friendship', languages: ['sv', 'pt'] });
    serveDeck([cardOf('Bo', { user })]);
    await openDeck('/app/discover', ownUser({ interests: ['tea'], goal: 'friendship', languages: ['pt'] }));
    const shared = () => [...topCard().querySelectorAll('[data-shared]')].map((chip) => chip.textContent);
    await waitFor(() => expect(shared()).toHaveLength(3));
    expect(shared()).toEqual(['Friendship(you too)', 'Swedish, Portuguese(you too)', 'tea(you too)']);
    const interests = within(within(topCard()).getByRole('list', { name: 'Interests' })).getAllByRole('listitem');
    expect(interests.map((chip) => chip.textContent)).toEqual(['tea(you too)', 'chess']);
  });

  it('lets members report or block in two presses, and then shows the next person', async () => {
    serveDeck([cardOf('Bo'), cardOf('Cy'), cardOf('Di')]);
    serve(createReport, () => ({ data: { report: ownReport() } }));
    serve(blockUser, () => ({ data: { blocked: true } }));
    const { person } = await openDeck();
    await person.click(screen.getByRole('button', { name: 'Report or block Bo' }));
    await person.click(await screen.findByRole('button', { name: 'Fake profile, or wants money' }));
    await person.click(await screen.findByRole('button', { name: 'Done' }));
    expect(received(createReport)[0]?.body).toMatchObject({ reportedUser: 'bo', hideFromEachOther: true });
    await waitFor(() => expect(onTop()).toBe('Cy, 34'));
    await person.click(screen.getByRole('button', { name: 'Report or block Cy' }));
    await person.click(await screen.findByRole('button', { name: 'Block' }));
    await waitFor(() => expect(received(blockUser).map(({ params }) => params)).toEqual([{ userId: 'cy' }]));
    expect(onTop()).toBe('Di, 34');
    expect(screen.getByText('You and Cy no longer see each other.')).toBeVisible();
  });

  it('explains who is shown and offers another order', async () => {
    serveDeck([cardOf('Bo', { reasons: [{ kind: 'smoking' }] })]);
    const { person } = await openDeck();
    await person.click(screen.getByRole('button', { name: 'Why am I seeing this?' }));
    const why = within(await screen.findByRole('dialog', { name: 'Why am I seeing Bo?' }));
    expect(why.getByText('Neither of you smokes')).toBeVisible();
    for (const words of [
      /^Your preferences and theirs/,
      'Whether they like you, from the next day on, so that you may find each other sooner.',
      /reserved for new members/,
      'A little randomness that changes every day.',
      /Premium improves a position by a quarter at most/,
    ])
      expect(why.getByText(words)).toBeVisible();
    await person.click(why.getByRole('button', { name: 'Change the order' }));
    expect(await screen.findByRole('dialog', { name: 'Who you want to see' })).toBeVisible();
    expect(currentAddress()).toBe('/app/discover?wishes=open');
  });
});

describe('the pictures of a card', () => {
  const three = ['one', 'two', 'three'].map((word) => picture(word));
  const first = () => within(within(topCard()).getByRole('group', { name: /^Pictures of/ })).getByRole('img');

  it('start with the first one in full size for each person', async () => {
    serveDeck([cardOf('Bo', { user: memberNamed('Bo', { pictures: three }) }), cardOf('Cy')]);
    const { person } = await openDeck();
    expect(first()).toHaveAccessibleName('Bo: picture 1 of 3');
    await person.click(screen.getByRole('button', { name: 'Pass on Bo' }));
    expect(first()).toHaveAccessibleName('Picture of Cy');
  });

  it('are preloaded for the next three people', async () => {
    serveDeck(['Bo', 'Cy', 'Di', 'Ed', 'Flo'].map((name) => cardOf(name)));
    const { container } = await openDeck();
    const sources = () => [...container.querySelectorAll('article img')].map((image) => image.getAttribute('src'));
    await waitFor(() => expect(sources()).toEqual(['bo', 'cy', 'di', 'ed'].map((word) => `/api/v1/media/${word}-400`)));
    const drawn = [...container.querySelectorAll('article')];
    expect(drawn.map((card) => card.querySelector('img')?.getAttribute('loading'))).toEqual(Array(4).fill('eager'));
    expect(drawn.map((card) => card.inert)).toEqual([false, true, true, true]);
    expect(screen.getAllByRole('article')).toHaveLength(1);
  });

  it('are replaced by the initial when they fail to load, and reloaded when their addresses have expired', async () => {
    serveDeck([cardOf('Bo')]);
    vi.useFakeTimers({ toFake: ['Date'] });
    await openDeck();
    // A short deck asks for more at once.
    await waitFor(() => expect(received(getCards)).toHaveLength(2));
    fireEvent.error(first());
    expect(first()).toHaveTextContent('B');
    const before = received(getCards).length;
    serveDeck([cardOf('Bo', { user: memberNamed('Bo', { pictures: [picture('bo', { thumbnailUrl: '/fresh' })] }) })]);
    vi.setSystemTime(Date.now() + 6 * 60_000);
    fireEvent.error(screen.getByText('B'));
    await waitFor(() => expect(first()).toHaveAttribute('src', '/fresh'));
    expect(received(getCards)).toHaveLength(before + 1);
    vi.useRealTimers();
  });
});
