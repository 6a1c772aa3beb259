import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { countPeople, getCards, type Preferences, putPreferences } from '#contract/discovery.ts';
import { searchPlaces } from '#contract/profiles/profiles.ts';
import { cardOf, onTop, serveDeck } from '../../../test/fixtures/deck.ts';
import { failWith, received, Refusal, serve } from '../../../test/fake-server.ts';
import { serveOwnProfile } from '../../../test/fixtures/own-profile.ts';
import { ownUser } from '../../../test/fixtures/people.ts';
import { currentAddress, renderApp } from '../../../test/render-app.tsx';

const sent = () => received(putPreferences).map(({ body }) => body);
const sheet = () => within(screen.getByRole('dialog', { name: 'Who you want to see' }));
const save = () => sheet().getByRole('button', { name: /^Show .*people$/ });
const must = (preference: string) => sheet().getByRole('checkbox', { name: `${preference}: a must` });
const move = (thumb: string, to: number) =>
  fireEvent.change(sheet().getByRole('slider', { name: thumb }), { target: { value: String(to) } });

async function openPreferences({
  isVIP = false,
  preferences = {},
}: { isVIP?: boolean; preferences?: Partial<Preferences> } = {}) {
  const user = ownUser({ isVIP });
  serveOwnProfile(user, preferences);
  const known = serveDeck([cardOf('Bo')]);
  const app = renderApp('/app/discover', user);
  await app.person.click(await screen.findByRole('button', { name: 'Preferences' }));
  await screen.findByRole('button', { name: 'Show 240 people' });
  return { ...app, known };
}

/** Opens the folded filters, and some of them. */
async function unfold(person: Awaited<ReturnType<typeof openPreferences>>['person'], ...titles: string[]) {
  await person.click(sheet().getByRole('button', { name: 'More filters' }));
  for (const title of titles) await person.click(await sheet().findByRole('button', { name: new RegExp(`^${title}`) }));
}

describe('the preferences sheet', () => {
  it('is kept open by the address and closes with Escape', async () => {
    const { person } = await openPreferences();
    expect(currentAddress()).toBe('/app/discover?wishes=open');
    await person.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(currentAddress()).toBe('/app/discover');
  });

  it('shows how many people remain before it is saved', async () => {
    await openPreferences();
    serve(countPeople, ({ body }) => ({ data: { people: body.age?.min === 60 ? 0 : 30 } }));
    move('Youngest age', 60);
    expect(await sheet().findByRole('button', { name: 'Show fewer than 20 people' })).toBeVisible();
    expect(received(countPeople).at(-1)?.body).toMatchObject({ age: { min: 60, max: 120, required: true } });
    move('Youngest age', 40);
    expect(await sheet().findByRole('button', { name: 'Show 30 people' })).toBeVisible();
    expect(sent()).toEqual([]);
  });

  it('saves only changes and reloads the deck', async () => {
    const { person, known } = await openPreferences();
    await person.click(sheet().getByRole('checkbox', { name: 'Women' }));
    move('Youngest age', 28);
    move('Distance', 3);
    await person.click(must('Distance'));
    await unfold(person, 'Smoking');
    await person.click(await sheet().findByRole('checkbox', { name: 'Never' }));
    known.cards = [cardOf('Cy')];
    const asked = received(getCards).length;
    await person.click(save());
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent()).toEqual([
      {
        seeking: ['woman', 'man'],
        age: { min: 28, max: 120, required: true },
        distance: { maxKm: 50, required: true },
        smoking: { values: ['never'], required: false },
      },
    ]);
    await waitFor(() => expect(onTop()).toBe('Cy, 34'));
    expect(received(getCards).length).toBeGreaterThan(asked);
    expect(currentAddress()).toBe('/app/discover');
  });

  it('offers interests, which are free to require, and languages, and shows what is chosen', async () => {
    const { person } = await openPreferences();
    await unfold(person, 'Interests', 'Languages');
    await person.click(await sheet().findByLabelText('chess'));
    await person.click(must('Interests'));
    await person.click(await sheet().findByLabelText('Swedish'));
    await person.click(await sheet().findByLabelText('Finnish'));
    expect(sheet().queryByRole('checkbox', { name: 'Languages: a must' })).toBeNull();
    expect(sheet().getByRole('button', { name: 'Languages Swedish · Finnish' })).toBeVisible();
    await person.click(sheet().getByRole('button', { name: 'More filters' }));
    await person.click(sheet().getAllByRole('button', { name: 'Remove Finnish' })[0] ?? document.body);
    await person.click(save());
    await waitFor(() =>
      expect(sent()).toEqual([
        { interests: { values: ['chess'], required: true }, languages: { values: ['sv'], required: false } },
      ]),
    );
  });

  it('sends nothing when nothing changed', async () => {
    const { person } = await openPreferences();
    await person.click(save());
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent()).toEqual([]);
  });

  it('can order the deck by newest first', async () => {
    const { person } = await openPreferences();
    await unfold(person, 'Order');
    expect(sheet().getByRole('radio', { name: 'Best match first' })).toBeChecked();
    await person.click(sheet().getByRole('radio', { name: 'Newest first' }));
    await person.click(save());
    await waitFor(() => expect(sent()).toEqual([{ order: 'newest' }]));
  });

  it('requires at least one gender', async () => {
    const { person } = await openPreferences();
    await person.click(sheet().getByRole('checkbox', { name: 'Men' }));
    await person.click(save());
    const sought = sheet().getByRole('group', { name: 'I would like to meet' });
    expect(sought).toHaveAccessibleDescription('Choose at least one');
    expect(within(sought).getByRole('checkbox', { name: 'Women' })).toHaveFocus();
    expect(sent()).toEqual([]);
    await person.click(within(sought).getByRole('checkbox', { name: 'Women' }));
    expect(sought).not.toHaveAccessibleDescription();
    await person.click(save());
    await waitFor(() => expect(sent()).toEqual([{ seeking: ['woman'] }]));
  });
});

describe('premium preferences', () => {
  it('are only nice to have without premium, with a link to it', async () => {
    const { person } = await openPreferences();
    await unfold(person, 'Smoking', 'Height');
    expect(sheet().queryByRole('checkbox', { name: /^(Smoking|Height): a must$/ })).toBeNull();
    expect(sheet().queryByRole('checkbox', { name: 'Incognito' })).toBeNull();
    expect(sheet().queryByLabelText('Another city')).toBeNull();
    expect(sheet().getByRole('link', { name: 'What premium adds' })).toHaveAttribute('href', '/app/premium');
  });

  it('can be required, incognito, and in another city with premium', async () => {
    const { person } = await openPreferences({ isVIP: true });
    serve(searchPlaces, () => ({ data: { places: [{ city: 'Umeå', country: 'Sweden' }] } }));
    await unfold(person, 'Children', 'Height');
    await person.click(await sheet().findByRole('checkbox', { name: 'Wants children' }));
    await person.click(must('Children'));
    move('Smallest height', 170);
    await person.click(must('Height'));
    await person.click(sheet().getByRole('checkbox', { name: 'Incognito' }));
    await person.type(sheet().getByLabelText('Another city'), 'Ume');
    await waitFor(() => expect(document.querySelector('datalist option')).not.toBeNull());
    await person.clear(sheet().getByLabelText('Another city'));
    await person.click(sheet().getByLabelText('Another city'));
    await person.paste('Umeå, Sweden');
    expect(sheet().getByLabelText('Country')).toHaveValue('Sweden');
    await person.click(save());
    await waitFor(() =>
      expect(sent()).toEqual([
        {
          children: { values: ['want'], required: true },
          heightCm: { min: 170, max: 230, required: true },
          incognito: true,
          elsewhere: { city: 'Umeå', country: 'Sweden' },
        },
      ]),
    );
  });

  it('show an unknown city, and one without its country', async () => {
    const { person } = await openPreferences({ isVIP: true });
    await unfold(person);
    await person.type(await sheet().findByLabelText('Another city'), 'Atlantis');
    await person.click(save());
    expect(sheet().getByLabelText('Country')).toHaveAccessibleDescription('This is required');
    failWith(
      putPreferences,
      new Refusal('INVALID_INPUT', "We don't know this city", {
        errors: [{ field: 'elsewhere.city', msg: "We don't know this city" }],
      }),
    );
    await person.type(sheet().getByLabelText('Country'), 'Sea');
    await person.click(save());
    expect(await sheet().findByRole('alert')).toHaveTextContent(
      "Couldn't save your preferences: We don't know this city",
    );
    expect(sheet().getByLabelText('Another city')).toHaveAccessibleDescription("We don't know this city");
    expect(sheet().getByLabelText('Another city')).toHaveFocus();
  });

  it('can be kept or removed by former premium members', async () => {
    const preferences: Partial<Preferences> = {
      smoking: { values: ['never'], required: true },
      incognito: true,
      elsewhere: { city: 'Umeå', country: 'Sweden' },
    };
    const { person } = await openPreferences({ preferences });
    await unfold(person, 'Smoking');
    await person.click(must('Smoking'));
    await person.click(sheet().getByRole('checkbox', { name: 'Incognito' }));
    await person.click(sheet().getByRole('button', { name: 'Back to my own city' }));
    await person.click(save());
    await waitFor(() =>
      expect(sent()).toEqual([{ smoking: { values: ['never'], required: false }, incognito: false, elsewhere: null }]),
    );
  });
});
