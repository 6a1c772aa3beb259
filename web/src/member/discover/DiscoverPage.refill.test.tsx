import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { getCards, noPreferences, type Preferences, putPreferences } from '#contract/discovery.ts';
import { passUser } from '#contract/connections.ts';
import { putNotificationSettings } from '#contract/notifications.ts';
import { cardOf, onTop, openDeck, serveDeck } from '../../../test/fixtures/deck.ts';
import { CutOff, failWith, received, Refusal, serve } from '../../../test/fake-server.ts';
import { ownUser } from '../../../test/fixtures/people.ts';
import { currentAddress, renderApp } from '../../../test/render-app.tsx';
import { serveNotificationSettings } from '../../../test/fixtures/notifications.ts';
import { serveOwnProfile } from '../../../test/fixtures/own-profile.ts';
import { beWide } from '../../../test/fixtures/staff/users.ts';

const many = (count: number) => Array.from({ length: count }, (_, at) => cardOf(`P${at}`));
const asked = () => received(getCards).length;

/** Passes on this many people, one after the other. */
async function passOn(person: Awaited<ReturnType<typeof openDeck>>['person'], count: number) {
  for (let at = 0; at < count; at += 1) await person.keyboard('{ArrowLeft}');
}

describe('a deck that runs low', () => {
  it('loads more cards when five are left, without interruption', async () => {
    serveDeck(many(24));
    const { person } = await openDeck();
    await passOn(person, 14);
    expect(asked()).toBe(1);
    await passOn(person, 1);
    await waitFor(() => expect(asked()).toBe(2));
    await passOn(person, 8);
    expect(onTop()).toBe('P23, 34');
  });

  it('shows no one twice, even before the server has received the last decisions', async () => {
    const known = serveDeck(many(9));
    const held: (() => void)[] = [];
    serve(passUser, async ({ params }) => {
      await new Promise<void>((resolve) => held.push(resolve));
      known.decided.push(params.userId);
      return { data: { outcome: 'passed' as const } };
    });
    const { person } = await openDeck();
    const seen: (string | null)[] = [];
    screen.getByRole('button', { name: /^Pass on/ }).focus();
    for (let at = 0; at < 9; at += 1) {
      seen.push(onTop());
      await passOn(person, 1);
    }
    expect(new Set(seen).size).toBe(9);
    expect(onTop()).toBeNull();
    expect(screen.queryByText('No one is left for now')).toBeNull();
    for (let at = 0; at < 9; at += 1) {
      await waitFor(() => expect(held.length).toBeGreaterThan(at));
      held[at]?.();
    }
    expect(await screen.findByRole('heading', { name: 'No one is left for now' })).toBeVisible();
    expect(screen.getByRole('heading', { level: 1 })).toHaveFocus();
  });

  it('retries after the next decision when loading fails, and shows an error only when no one is left', async () => {
    const known = serveDeck(many(6));
    const { person } = await openDeck();
    await waitFor(() => expect(asked()).toBeGreaterThan(0));
    failWith(getCards, new CutOff());
    await passOn(person, 5);
    expect(onTop()).toBe('P5, 34');
    expect(screen.queryByRole('alert')).toBeNull();
    await passOn(person, 1);
    expect(await screen.findByRole('alert')).toHaveTextContent(/^Couldn't load people/);
    serveDeck([...known.cards, cardOf('New')], { decided: known.decided });
    await person.click(screen.getByRole('button', { name: 'Retry' }));
    await waitFor(() => expect(onTop()).toBe('New, 34'));
  });

  it('shows a member again if the server returns them after answering all decisions', async () => {
    const known = serveDeck(many(3));
    const { person } = await openDeck();
    await passOn(person, 1);
    await waitFor(() => expect(known.decided).toEqual(['p0']));
    // The decision was undone in another tab.
    known.decided = [];
    await passOn(person, 2);
    await waitFor(() => expect(onTop()).toBe('P0, 34'));
  });

  it('is reloaded on the next visit, without members whose decision is still being sent', async () => {
    const known = serveDeck(many(3));
    let release = () => {};
    serve(passUser, async ({ params }) => {
      await new Promise<void>((resolve) => (release = resolve));
      known.decided.push(params.userId);
      return { data: { outcome: 'passed' as const } };
    });
    const { person } = renderApp('/app/discover', ownUser());
    await waitFor(() => expect(onTop()).toBe('P0, 34'));
    await passOn(person, 1);
    await person.click(screen.getByRole('link', { name: 'Likes' }));
    await screen.findByRole('heading', { level: 1, name: 'Likes' });
    await person.click(screen.getByRole('link', { name: 'Discover' }));
    await waitFor(() => expect(onTop()).toBe('P1, 34'));
    await waitFor(() => expect(received(passUser)).toHaveLength(1));
    release();
    await waitFor(() => expect(known.decided).toEqual(['p0']));
  });
});

const preferences: Partial<Preferences> = {
  ...noPreferences,
  age: { min: 30, max: 40, required: true },
  smoking: { values: ['never'], required: true },
};

async function openEmpty(empty: Parameters<typeof serveDeck>[1], changes: Partial<Preferences> = {}) {
  serveOwnProfile(ownUser(), { ...preferences, ...changes });
  serveNotificationSettings();
  const known = serveDeck([], empty);
  const app = renderApp('/app/discover', ownUser());
  await screen.findByRole('heading', { level: 2, name: 'No one is left for now' });
  return { ...app, known };
}

const perFilter = [
  { filter: 'age' as const, removed: 1 },
  { filter: 'smoking' as const, removed: 7 },
  { filter: 'distance' as const, removed: 500 },
  { filter: 'gender' as const, removed: 3 },
];

describe('a paused profile', () => {
  it('shows no cards until it is resumed', async () => {
    serveOwnProfile(ownUser(), { isPaused: true });
    const known = serveDeck([cardOf('Bo')], { isPaused: true });
    beWide();
    const { person } = renderApp('/app/discover', ownUser());
    await screen.findByRole('heading', { level: 2, name: 'Your profile is paused' });
    expect(screen.getByRole('button', { name: 'Preferences' })).toBeVisible();
    for (const name of ['Grid', 'Keyboard shortcuts']) expect(screen.queryByRole('button', { name })).toBeNull();
    expect(screen.getByRole('link', { name: 'See who likes you' })).toHaveAttribute('href', '/app/likes');
    failWith(putPreferences, new Refusal('TOO_MANY_REQUESTS', 'Please wait a moment'));
    await person.click(screen.getByRole('button', { name: 'Resume' }));
    expect(await screen.findByRole('alert')).toHaveTextContent("Couldn't resume your profile: Please wait a moment");
    serveOwnProfile(ownUser(), { isPaused: true });
    known.isPaused = false;
    await person.click(screen.getByRole('button', { name: 'Resume' }));
    await waitFor(() => expect(onTop()).toBe('Bo, 34'));
    expect(screen.getByRole('heading', { level: 1, name: 'Discover' })).toHaveFocus();
    expect(screen.getByRole('button', { name: 'Keyboard shortcuts' })).toBeVisible();
    expect(received(putPreferences).at(-1)?.body).toEqual({ isPaused: false });
  });
});

describe('an empty deck', () => {
  it('shows how many people each filter excludes', async () => {
    await openEmpty({ empty: { perFilter, decided: 4, isUsedUp: false } });
    expect(screen.getAllByText(/would be here without it\.$/).map((line) => line.textContent)).toEqual([
      'One person would be here without it.',
      '7 people would be here without it.',
      '500 people or more would be here without it.',
      '3 people would be here without it.',
    ]);
  });

  it('offers an alert about new people within the distance, and shows where to turn it off', async () => {
    const distance = { maxKm: 50, required: true };
    const { person } = await openEmpty({ empty: { perFilter, decided: 0, isUsedUp: false } }, { distance });
    await person.click(await screen.findByRole('button', { name: 'Tell me when someone new fits within 30 miles' }));
    expect(await screen.findByText(/^We'll tell you when someone new fits\./)).toBeVisible();
    expect(screen.getByRole('link', { name: 'Change or turn off' })).toHaveAttribute(
      'href',
      '/app/settings/notifications',
    );
    expect(received(putNotificationSettings).map(({ body }) => body)).toEqual([
      { settings: { fit: { mail: 'daily', push: true } } },
    ]);
  });

  it('relaxes a filter with one press, and reloads', async () => {
    const { person, known } = await openEmpty({ empty: { perFilter, decided: 0, isUsedUp: false } });
    known.cards = [cardOf('Bo')];
    await person.click(screen.getByRole('button', { name: 'Make Age nice to have' }));
    await waitFor(() => expect(onTop()).toBe('Bo, 34'));
    expect(received(putPreferences).map(({ body }) => body)).toEqual([{ age: { min: 30, max: 40, required: false } }]);
  });

  it('opens the preferences to change the gender or an optional filter', async () => {
    const { person } = await openEmpty({ empty: { perFilter, decided: 0, isUsedUp: false } });
    await person.click(screen.getByRole('button', { name: 'Change who you would like to meet' }));
    expect(await screen.findByRole('dialog', { name: 'Who you want to see' })).toBeVisible();
    expect(currentAddress()).toBe('/app/discover?wishes=open');
    await person.keyboard('{Escape}');
    await person.click(screen.getByRole('button', { name: 'Make Distance nice to have' }));
    expect(await screen.findByRole('dialog', { name: 'Who you want to see' })).toBeVisible();
    expect(received(putPreferences)).toEqual([]);
  });

  it.each([
    [
      0,
      false,
      "There's no one yet who matches your preferences and is looking for someone like you. New people join every day, so come back tomorrow.",
    ],
    [9, false, "You've seen everyone who matches your preferences. New people join every day, so come back tomorrow."],
    [0, true, /^That's everyone for today\. There will be more people from \d+:00.*on\.$/],
  ])(
    'shows what to do when no filter can be relaxed, after %s decisions (everyone seen: %s)',
    async (decided, isUsedUp, words) => {
      const { person, known } = await openEmpty({ empty: { perFilter: [], decided, isUsedUp } });
      expect(screen.getByText(words)).toBeVisible();
      expect(screen.getByRole('link', { name: /answer a few questions, or add a picture/ })).toHaveAttribute(
        'href',
        '/app/profile',
      );
      known.cards = [cardOf('Bo')];
      await person.click(screen.getByRole('button', { name: 'Look again' }));
      await waitFor(() => expect(onTop()).toBe('Bo, 34'));
    },
  );
});
