import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { noPreferences, type Preferences, putPreferences } from '#contract/discovery.ts';
import { received, Refusal, serve } from '../../../test/fake-server.ts';
import { cardOf, onTop, serveDeck } from '../../../test/fixtures/deck.ts';
import { serveOwnProfile } from '../../../test/fixtures/own-profile.ts';
import { ownUser } from '../../../test/fixtures/people.ts';
import { beWide } from '../../../test/fixtures/staff/users.ts';
import { currentAddress, renderApp } from '../../../test/render-app.tsx';

const preferences: Partial<Preferences> = {
  ...noPreferences,
  age: { min: 30, max: 40, required: true },
  smoking: { values: ['never'], required: true },
};

async function openEmpty(empty: Parameters<typeof serveDeck>[1]) {
  serveOwnProfile(ownUser(), preferences);
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
  it('has no cards until it is resumed', async () => {
    serveOwnProfile(ownUser(), { isPaused: true });
    const known = serveDeck([cardOf('Bo')], { isPaused: true });
    beWide();
    const { person } = renderApp('/app/discover', ownUser());
    await screen.findByRole('heading', { level: 2, name: 'Your profile is paused' });
    expect(screen.getByRole('button', { name: 'Preferences' })).toBeVisible();
    for (const name of ['Grid', 'Keyboard shortcuts']) expect(screen.queryByRole('button', { name })).toBeNull();
    expect(screen.getByRole('link', { name: 'See who likes you' })).toHaveAttribute('href', '/app/likes');
    serve(putPreferences, () => {
      throw new Refusal('TOO_MANY_REQUESTS', 'Please wait a moment');
    });
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
  it('says which filters exclude how many people', async () => {
    await openEmpty({ empty: { perFilter, decided: 4, isUsedUp: false } });
    expect(screen.getAllByText(/would be here without it\.$/).map((line) => line.textContent)).toEqual([
      'One person would be here without it.',
      '7 people would be here without it.',
      '500 people or more would be here without it.',
      '3 people would be here without it.',
    ]);
  });

  it('relaxes a filter with one press, and reloads', async () => {
    const { person, known } = await openEmpty({ empty: { perFilter, decided: 0, isUsedUp: false } });
    known.cards = [cardOf('Bo')];
    await person.click(screen.getByRole('button', { name: 'Make Age nice to have' }));
    await waitFor(() => expect(onTop()).toBe('Bo, 34'));
    expect(received(putPreferences).map(({ body }) => body)).toEqual([{ age: { min: 30, max: 40, required: false } }]);
  });

  it('shows an error when that failed', async () => {
    const { person } = await openEmpty({ empty: { perFilter, decided: 0, isUsedUp: false } });
    serve(putPreferences, () => {
      throw new Refusal('TOO_MANY_REQUESTS', 'Please wait a moment');
    });
    await person.click(screen.getByRole('button', { name: 'Make Smoking nice to have' }));
    expect(await screen.findByRole('alert')).toHaveTextContent("Couldn't change your preference: Please wait a moment");
  });

  it('opens the preferences for the gender and for a filter that is not required', async () => {
    const { person } = await openEmpty({ empty: { perFilter, decided: 0, isUsedUp: false } });
    await person.click(screen.getByRole('button', { name: 'Change who you would like to meet' }));
    expect(await screen.findByRole('dialog', { name: 'Who you want to see' })).toBeVisible();
    expect(currentAddress()).toBe('/app/discover?wishes=open');
    await person.click(screen.getByRole('button', { name: 'Cancel' }));
    await person.click(screen.getByRole('button', { name: 'Make Distance nice to have' }));
    expect(await screen.findByRole('dialog', { name: 'Who you want to see' })).toBeVisible();
    expect(received(putPreferences)).toEqual([]);
  });

  it.each([
    [0, false, "There's no one yet who fits your preferences and is looking for someone like you. New people join every day, so come back tomorrow."],
    [9, false, "You've seen everyone who fits. New people join every day, so come back tomorrow."],
    [0, true, "That's everyone for today. There will be more people tomorrow."],
  ])(
    'without a filter to relax, after %s decisions (all seen: %s), says what to do',
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
