import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { type CardExplanation, explainCard, getMatchingInsights, type MatchingSegment } from '#contract/discovery.ts';
import { listUsers } from '#contract/profiles/staff.ts';
import { failWith, RawAnswer, received, Refusal, serve } from '../../../test/fake-server.ts';
import { administrator, moderator } from '../../../test/fixtures/people.ts';
import { currentAddress, renderApp } from '../../../test/render-app.tsx';

const segment = (changes: Partial<MatchingSegment> = {}): MatchingSegment => ({
  ...{ gender: null, age: null, members: 1204, coverage: 76.4, gini: 0.47, unread: 18.2 },
  ...{ newMatched: 81, replied: 43.5, conversations: 22, ...changes },
});

const insights = () => ({
  weeks: [
    { week: '2026-01-12', segments: [segment({ coverage: 70 })] },
    {
      week: '2026-01-05',
      segments: [
        segment(),
        segment({ gender: 'woman', coverage: 80 }),
        segment({ gender: 'woman', age: '56+', members: 10, unread: null }),
      ],
    },
  ],
  countedAt: '2026-01-14T02:40:00.000Z',
});

const [ada, bob] = ['018f3a52-9c1e-7b44-8d0a-3f6f2f9b7a11', '018f3a52-9c1e-7b44-8d0a-3f6f2f9b7a12'] as const;

const explanation = (changes: Partial<CardExplanation> = {}): CardExplanation => ({
  viewer: { _id: ada, name: 'Ada Byron' },
  person: { _id: bob, name: 'Bob Kahn' },
  ...{
    takesPart: true,
    isViewerPaused: false,
    isPersonPaused: false,
    isVisible: true,
    isActive: true,
    isIncognito: false,
    isBlocked: false,
  },
  ...{ viewerRefuses: [], personRefuses: [], decided: null, hasPassed: false },
  deck: {
    madeAt: '2026-01-14T02:40:00.000Z',
    cards: 60,
    isOutdated: false,
    place: 12,
    isExploration: false,
    cut: -3.1,
  },
  terms: {
    ...{ rank: -2.05, viewerLikes: 31, personLikes: 44, likesViewer: false },
    ...{ inbox: 0.69, absence: 0, premium: 0, preferences: 0.4, daily: -0.12 },
  },
  remaining: 48,
  ...changes,
});

async function open(user = administrator()) {
  vi.setSystemTime(new Date('2026-01-14T12:00:00Z'));
  const app = renderApp('/insights/matching', user);
  await screen.findByRole('heading', { level: 1 });
  return app;
}

/** Chooses both members by their ids and asks for the explanation. */
async function ask(person: Awaited<ReturnType<typeof open>>['person'], typedAda: string = ada) {
  serve(listUsers, () => ({ data: { users: [], pagination: { total: 0, page: 1, limit: 8, pages: 0 } } }));
  for (const [label, id] of [
    ['Who sees the card', typedAda],
    ['Who is on the card', bob],
  ] as const) {
    await person.click(await screen.findByRole('combobox', { name: label }));
    await person.paste(id);
    await screen.findByText('No users found. Press Enter to use this as a user ID.');
    await person.keyboard('{Enter}');
  }
  await person.click(screen.getByRole('button', { name: 'Explain...' }));
  const dialog = within(await screen.findByRole('dialog'));
  await person.type(dialog.getByRole('textbox', { name: /Reason/ }), 'They asked');
  await person.click(dialog.getByRole('button', { name: 'Explain' }));
}

describe('/insights/matching', () => {
  it('shows the last full week, its segments, and dashes for numbers that are too small', async () => {
    serve(getMatchingInsights, () => ({ data: insights() }));
    await open();
    const cards = within(await screen.findByRole('region', { name: 'Key figures' }));
    expect(cards.getByText('76.4 %')).toBeVisible();
    const table = within(screen.getByRole('table', { name: 'Segments' }));
    const rows = table
      .getAllByRole('row')
      .slice(1)
      .map((row) => [...row.children].map((cell) => cell.textContent));
    expect(rows[0]).toEqual(['Everyone', 'about 1,204', '76.4 %', '81 %', '18.2 %', '43.5 %', '22 %', '0.47']);
    expect(rows[2]).toEqual(['Women 56+', 'about 10', '76.4 %', '81 %', '–', '43.5 %', '22 %', '0.47']);
  });

  it('can show another week and another figure', async () => {
    serve(getMatchingInsights, () => ({ data: insights() }));
    const { person } = await open();
    await person.selectOptions(await screen.findByRole('combobox', { name: 'Week from' }), '2026-01-12');
    expect(within(screen.getByRole('region', { name: 'Key figures' })).getByText('70 %')).toBeVisible();
    await person.selectOptions(screen.getByRole('combobox', { name: 'Figure' }), 'unread');
    const chart = within(screen.getByRole('table', { name: 'Unread likes' }));
    expect(chart.getAllByRole('row').map((row) => row.textContent)).toEqual([
      'WeekEveryoneWomen',
      'Jan 5, 202618.218.2',
      'Jan 12, 202618.2–',
    ]);
  });

  it('shows when nothing was counted, and can be retried after an error', async () => {
    let isBroken = true;
    serve(getMatchingInsights, () => {
      if (isBroken) throw new RawAnswer(409, '');
      return { data: { ...insights(), weeks: [], countedAt: null } };
    });
    const { person } = await open();
    expect(await screen.findByRole('alert')).toHaveTextContent(/^Error loading figures: /);
    isBroken = false;
    await person.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('Nothing counted yet')).toBeVisible();
  });

  it('explains a card step by step after a reason', async () => {
    serve(getMatchingInsights, () => ({ data: insights() }));
    serve(explainCard, () => ({ data: explanation() }));
    const { person } = await open();
    await ask(person);
    expect(await screen.findByText('Nothing prevents Bob Kahn from being shown to Ada Byron.')).toBeVisible();
    const steps = within(screen.getByRole('list', { name: 'Steps' })).getAllByRole('listitem');
    expect(steps).toHaveLength(12);
    expect(steps.at(-1)).toHaveTextContent('Bob Kahn is at position 12 of 60.');
    expect(received(explainCard).at(-1)).toMatchObject({
      body: { viewerId: ada, personId: bob, reason: 'They asked' },
    });
  });

  it.each([
    `{${ada}}`,
    ada.replaceAll('-', ''),
    ` ${ada.replaceAll('-', '\u2011').toUpperCase()} `,
    `https://heartwood.test/users/${ada}.`,
  ])('reads the id of a person in %s', async (typed) => {
    serve(getMatchingInsights, () => ({ data: insights() }));
    serve(explainCard, () => ({ data: explanation() }));
    const { person } = await open();
    await ask(person, typed);
    await waitFor(() => expect(received(explainCard)).toMatchObject([{ body: { viewerId: ada, personId: bob } }]));
  });

  it('shows the first condition that is not met', async () => {
    serve(getMatchingInsights, () => ({ data: insights() }));
    serve(explainCard, () => ({ data: explanation({ viewerRefuses: ['age', 'distance'], isBlocked: true }) }));
    const { person } = await open();
    await ask(person);
    expect(await screen.findAllByText('One of them blocked the other.')).toHaveLength(2);
    expect(screen.getByText('Bob Kahn doesn’t meet required filters of Ada Byron: age, distance.')).toBeVisible();
  });

  it('shows that a profile is paused', async () => {
    serve(getMatchingInsights, () => ({ data: insights() }));
    serve(explainCard, () => ({ data: explanation({ isPersonPaused: true }) }));
    const { person } = await open();
    await ask(person);
    expect(await screen.findAllByText('Bob Kahn paused their profile, so no one new sees it.')).toHaveLength(2);
  });

  it('shows a refusal in the dialog', async () => {
    serve(getMatchingInsights, () => ({ data: insights() }));
    failWith(explainCard, new Refusal('FORBIDDEN', 'Not for you'));
    const { person } = await open();
    await ask(person);
    expect(await within(screen.getByRole('dialog')).findByText('Not for you')).toBeVisible();
  });

  it('shows only figures to analysts and is closed to moderators', async () => {
    serve(getMatchingInsights, () => ({ data: insights() }));
    const { unmount } = await open(administrator({ staffRole: 'analyst' }));
    expect(await screen.findByRole('region', { name: 'Key figures' })).toHaveTextContent('76.4 %');
    expect(screen.queryByRole('button', { name: 'Explain...' })).toBeNull();
    unmount();
    await open(moderator());
    expect(currentAddress()).toBe('/dashboard');
  });
});
