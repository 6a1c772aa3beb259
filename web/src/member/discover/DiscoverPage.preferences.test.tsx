import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { getCards, getPreferences, type Preferences, putPreferences } from '#contract/discovery.ts';
import { searchPlaces } from '#contract/profiles/profiles.ts';
import { cardOf, onTop, serveDeck } from '../../../test/fixtures/deck.ts';
import { CutOff, received, Refusal, serve } from '../../../test/fake-server.ts';
import { serveOwnProfile } from '../../../test/fixtures/own-profile.ts';
import { ownUser } from '../../../test/fixtures/people.ts';
import { currentAddress, renderApp } from '../../../test/render-app.tsx';

const sent = () => received(putPreferences).map(({ body }) => body);
const sheet = () => within(screen.getByRole('dialog', { name: 'Who you want to see' }));
const save = () => sheet().getByRole('button', { name: 'Save' });

async function openPreferences({
  isVIP = false,
  preferences = {},
}: { isVIP?: boolean; preferences?: Partial<Preferences> } = {}) {
  const user = ownUser({ isVIP });
  serveOwnProfile(user, preferences);
  const known = serveDeck([cardOf('Bo')]);
  const app = renderApp('/app/discover', user);
  await app.person.click(await screen.findByRole('button', { name: 'Preferences' }));
  await screen.findByRole('button', { name: 'Save' });
  await sheet().findByLabelText('From age');
  return { ...app, known };
}

describe('the preferences sheet', () => {
  it('is kept open by the address and closes with Escape', async () => {
    const { person } = await openPreferences();
    expect(currentAddress()).toBe('/app/discover?wishes=open');
    await person.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(currentAddress()).toBe('/app/discover');
  });

  it('shows loading, errors, and a retry', async () => {
    serveOwnProfile(ownUser());
    serveDeck([cardOf('Bo')]);
    serve(getPreferences, () => {
      throw new CutOff();
    });
    const { person } = renderApp('/app/discover?wishes=open', ownUser());
    expect(await screen.findByRole('alert')).toHaveTextContent(/^Couldn't load your preferences: Network error/);
    serveOwnProfile(ownUser());
    await person.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('button', { name: 'Save' })).toBeVisible();
  });

  it('saves only changes and reloads the deck', async () => {
    const { person, known } = await openPreferences();
    await person.click(sheet().getByRole('checkbox', { name: 'Women' }));
    await person.type(sheet().getByLabelText('From age'), '28');
    await person.selectOptions(sheet().getByLabelText('How far away'), '50');
    await person.selectOptions(sheet().getByLabelText('This distance is'), 'A must');
    await person.click(within(sheet().getByRole('group', { name: 'Smoking' })).getByLabelText('Never'));
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

  it('offers interests, which are free to require, and languages', async () => {
    const { person } = await openPreferences();
    await person.click(sheet().getByRole('button', { name: 'Interests' }));
    await person.click(await sheet().findByLabelText('chess'));
    expect(sheet().getByRole('button', { name: 'Interests (1)' })).toBeVisible();
    await person.selectOptions(sheet().getByLabelText('Interests: this preference is'), 'A must');
    await person.click(sheet().getByRole('button', { name: 'Languages' }));
    await person.click(await sheet().findByLabelText('Swedish'));
    expect(sheet().queryByLabelText('Languages: this preference is')).toBeNull();
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
    expect(sheet().getByRole('radio', { name: /^Best match/ })).toBeChecked();
    await person.click(sheet().getByRole('radio', { name: /^Newest first/ }));
    await person.click(save());
    await waitFor(() => expect(sent()).toEqual([{ order: 'newest' }]));
  });

  it.each([
    ['From height, cm', 'x', 'Use a whole number from 120 to 230'],
    ['To height, cm', '231', 'Use a whole number from 120 to 230'],
    ['From age', '17', 'Use a whole number from 18 to 120'],
  ])('refuse %s of %s', async (label, text, words) => {
    const { person } = await openPreferences();
    await person.type(sheet().getByLabelText(label), text);
    await person.click(save());
    expect(sheet().getByLabelText(label)).toHaveAccessibleDescription(words);
    expect(sheet().getByLabelText(label)).toHaveFocus();
    expect(sent()).toEqual([]);
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

  it('accepts ages and heights in the digits of any script', async () => {
    const { person } = await openPreferences();
    await person.type(sheet().getByLabelText('From age'), '۲۸');
    await person.type(sheet().getByLabelText('To height, cm'), '१७०');
    await person.click(save());
    await waitFor(() =>
      expect(sent()).toEqual([
        { age: { min: 28, max: 120, required: true }, heightCm: { min: 120, max: 170, required: false } },
      ]),
    );
  });

  it('rejects heights in the wrong order', async () => {
    const { person } = await openPreferences();
    await person.type(sheet().getByLabelText('From height, cm'), '190');
    await person.type(sheet().getByLabelText('To height, cm'), '170');
    await person.click(save());
    expect(sheet().getByLabelText('To height, cm')).toHaveAccessibleDescription(
      'This is less than the smallest height',
    );
  });
});

describe('premium preferences', () => {
  it('are only nice to have without premium, with a link to it', async () => {
    await openPreferences();
    expect(sheet().queryByLabelText('Smoking: this preference is')).toBeNull();
    expect(sheet().queryByLabelText('Height: this preference is')).toBeNull();
    expect(sheet().getByText(/^These are nice to have/)).toBeVisible();
    expect(sheet().getByRole('checkbox', { name: 'Incognito' })).not.toBeChecked();
    expect(sheet().getByRole('checkbox', { name: 'Incognito' })).toBeDisabled();
    expect(sheet().queryByLabelText('Another city')).toBeNull();
    expect(sheet().getByText(/^Browsing unseen or in another city needs premium\./)).toBeVisible();
    const ways = sheet().getAllByRole('link', { name: 'What premium adds' });
    expect(ways.map((way) => way.getAttribute('href'))).toEqual(['/app/premium', '/app/premium']);
  });

  it('can be required, incognito, and in another city with premium', async () => {
    const { person } = await openPreferences({ isVIP: true });
    serve(searchPlaces, () => ({ data: { places: [{ city: 'Umeå', country: 'Sweden' }] } }));
    await person.click(await sheet().findByRole('checkbox', { name: 'Wants children' }));
    await person.selectOptions(sheet().getByLabelText('Children: this preference is'), 'A must');
    await person.type(sheet().getByLabelText('From height, cm'), '170');
    await person.selectOptions(sheet().getByLabelText('Height: this preference is'), 'A must');
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
    await person.type(await sheet().findByLabelText('Another city'), 'Atlantis');
    await person.click(save());
    expect(sheet().getByLabelText('Country')).toHaveAccessibleDescription('This is required');
    serve(putPreferences, () => {
      throw new Refusal('INVALID_INPUT', "We don't know this city", {
        errors: [{ field: 'elsewhere.city', msg: "We don't know this city" }],
      });
    });
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
    await person.selectOptions(sheet().getByLabelText('Smoking: this preference is'), 'Nice to have');
    await person.click(sheet().getByRole('checkbox', { name: 'Incognito' }));
    await person.click(sheet().getByRole('button', { name: 'Back to my own city' }));
    await person.click(save());
    await waitFor(() =>
      expect(sent()).toEqual([{ smoking: { values: ['never'], required: false }, incognito: false, elsewhere: null }]),
    );
  });

  it('show the server’s refusal when premium has just ended', async () => {
    const { person } = await openPreferences({ isVIP: true });
    serve(putPreferences, () => {
      throw new Refusal('PREMIUM_REQUIRED', 'This needs premium', {
        errors: [{ field: 'incognito', msg: 'This needs premium' }],
      });
    });
    await waitFor(() => expect(sheet().getByRole('checkbox', { name: 'Incognito' })).toBeEnabled());
    await person.click(sheet().getByRole('checkbox', { name: 'Incognito' }));
    await person.click(save());
    const alert = await sheet().findByRole('alert');
    expect(alert).toHaveTextContent("Couldn't save your preferences: This needs premium");
    expect(sheet().getByRole('link', { name: 'What premium adds' })).toHaveAttribute('href', '/app/premium');
  });
});
