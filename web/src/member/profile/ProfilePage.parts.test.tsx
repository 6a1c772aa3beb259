import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { putPreferences } from '#contract/discovery.ts';
import { interests } from '#contract/profiles/interests.ts';
import { changeLocation, editProfile, searchPlaces } from '#contract/profiles/profiles.ts';
import { getLists, type Lists } from '#contract/service/lists.ts';
import { failWith, received, Refusal, serve } from '../../../test/fake-server.ts';
import { placeDevice, serveOwnProfile } from '../../../test/fixtures/own-profile.ts';
import { ownUser } from '../../../test/fixtures/people.ts';
import { renderApp, serviceConfig } from '../../../test/render-app.tsx';
import type { ServiceConfig } from '../../api/service-config.ts';
import { passTime, simulateTime } from '../../../test/time.ts';

const region = (name: string) => within(screen.getByRole('region', { name }));
const save = () => screen.getByRole('button', { name: 'Save' });

async function edit(part: string, user = ownUser(), config?: () => ServiceConfig) {
  serveOwnProfile(user);
  const app = renderApp('/app/profile', user, user, config);
  await screen.findByRole('region', { name: 'Who I want to meet' });
  await app.person.click(screen.getByRole('button', { name: new RegExp(`^(Edit )?${part}$`) }));
  await screen.findByRole('dialog', { name: part });
  return app;
}

const sent = () => received(editProfile).map(({ body }) => body);

describe('the member’s location', () => {
  it('can be typed', async () => {
    const { person } = await edit('Where I live');
    await person.clear(await screen.findByLabelText(/^City/));
    await person.click(save());
    expect(screen.getByLabelText(/^City/)).toHaveAccessibleDescription('This is required');
    await person.type(screen.getByLabelText(/^City/), 'Porto');
    await person.click(save());
    expect(await screen.findByText('Porto, Portugal')).toBeVisible();
    expect(received(changeLocation).map(({ body }) => body)).toEqual([{ city: 'Porto', country: 'Portugal' }]);
  });

  it('can be chosen from known cities, with the country', async () => {
    const places = [
      { city: 'Porto', country: 'Portugal' },
      { city: 'Porto Alegre', country: 'Brazil' },
    ];
    const { person, container } = await edit('Where I live');
    serve(searchPlaces, () => ({ data: { places } }));
    await person.clear(screen.getByLabelText(/^City/));
    await person.type(screen.getByLabelText(/^City/), 'por');
    await waitFor(() => expect(container.querySelectorAll('datalist option')).toHaveLength(2));
    fireEvent.change(screen.getByLabelText(/^City/), { target: { value: 'Porto Alegre, Brazil' } });
    expect(screen.getByLabelText(/^City/)).toHaveValue('Porto Alegre');
    expect(screen.getByLabelText(/^Country/)).toHaveValue('Brazil');
    expect(received(searchPlaces).at(-1)?.query).toEqual({ search: 'por' });
  });

  it('is distinguished from other cities of the same name by its region', async () => {
    const { person, container } = await edit('Where I live');
    const places = ['Illinois', 'Ohio'].map((region) => ({ city: 'Springfield', region, country: 'United States' }));
    serve(searchPlaces, () => ({ data: { places } }));
    await person.clear(screen.getByLabelText(/^City/));
    await person.type(screen.getByLabelText(/^City/), 'springf');
    await waitFor(() => expect(container.querySelectorAll('datalist option')).toHaveLength(2));
    fireEvent.change(screen.getByLabelText(/^City/), { target: { value: 'Springfield, Ohio, United States' } });
    expect(screen.getByLabelText(/^City/)).toHaveValue('Springfield, Ohio');
    await person.click(save());
    await waitFor(() =>
      expect(received(changeLocation).map(({ body }) => body)).toEqual([
        { city: 'Springfield, Ohio', country: 'United States' },
      ]),
    );
  });

  it('gets the country if only one known city has the typed name', async () => {
    const { person, container } = await edit('Where I live');
    serve(searchPlaces, () => ({ data: { places: [{ city: 'Porto Alegre', country: 'Brazil' }] } }));
    await person.clear(screen.getByLabelText(/^City/));
    await person.type(screen.getByLabelText(/^City/), 'porto alegre');
    await waitFor(() => expect(container.querySelectorAll('datalist option')).toHaveLength(1));
    await person.tab();
    expect(screen.getByLabelText(/^City/)).toHaveValue('Porto Alegre');
    expect(screen.getByLabelText(/^Country/)).toHaveValue('Brazil');
  });

  it('gets city and country from a typed local name, but not from its beginning', async () => {
    const { person, container } = await edit('Where I live');
    const [telAviv, telArad] = [
      { city: 'Tel Aviv', country: 'Israel' },
      { city: 'Tel Arad', country: 'Israel' },
    ];
    serve(searchPlaces, ({ query }) => ({
      data: { places: query.search === 'תל אביב' ? [{ ...telAviv, isExact: true }, telArad] : [telAviv] },
    }));
    await person.clear(screen.getByLabelText(/^Country/));
    for (const [typed, known, city, country] of [
      ['תל א', 1, 'תל א', ''],
      ['תל אביב', 2, 'Tel Aviv', 'Israel'],
    ] as const) {
      await person.clear(screen.getByLabelText(/^City/));
      await person.type(screen.getByLabelText(/^City/), typed);
      await waitFor(() => expect(received(searchPlaces).at(-1)?.query).toEqual({ search: typed }));
      await waitFor(() => expect(container.querySelectorAll('datalist option')).toHaveLength(known));
      await person.tab();
      await waitFor(() => expect(screen.getByLabelText(/^City/)).toHaveValue(city));
      expect(screen.getByLabelText(/^Country/)).toHaveValue(country);
    }
  });

  it('contains the country only once when it is typed as well', async () => {
    const { person, container } = await edit('Where I live');
    serve(searchPlaces, () => ({ data: { places: [{ city: 'Porto Alegre', country: 'Brazil' }] } }));
    await person.clear(screen.getByLabelText(/^Country/));
    await person.clear(screen.getByLabelText(/^City/));
    await person.type(screen.getByLabelText(/^City/), 'Porto Alegre');
    await waitFor(() => expect(container.querySelectorAll('datalist option')).toHaveLength(1));
    const country = screen.getByLabelText<HTMLInputElement>(/^Country/);
    await person.click(country);
    await waitFor(() => expect([country.selectionStart, country.selectionEnd]).toEqual([0, 'Brazil'.length]));
    await person.keyboard('Brazil');
    expect(country).toHaveValue('Brazil');
  });

  const unknown = /^We don't know this place, so distances won't be shown\./;
  const remark = () => screen.queryByText(unknown);

  it('is saved for an unknown city with a note that distances are not shown', async () => {
    const { person } = await edit('Where I live');
    await person.clear(screen.getByLabelText(/^City/));
    await person.type(screen.getByLabelText(/^City/), 'Tinyham');
    await waitFor(() => expect(screen.getByLabelText(/^City/)).toHaveAccessibleDescription(unknown));
    expect(remark()).toHaveAttribute('role', 'status');
    expect(screen.getByLabelText(/^City/)).toBeValid();
    expect(screen.queryByRole('alert')).toBeNull();
    await person.click(save());
    expect(await screen.findByText('Tinyham, Portugal')).toBeVisible();
  });

  it.each([
    ['por', 'Portugal', true],
    ['Porto', 'Spain', true],
    ['PORTÒ ', 'portugal', false],
    ['Lisboa', 'Portugal', false],
    ['Porto', '', false],
  ])('is looked up in the list of known cities: %j in %j (with a note: %j)', async (city, country, isUnknown) => {
    simulateTime();
    const { person } = await edit('Where I live');
    const names = city === 'Lisboa' ? ['Lisbon'] : ['Porto', 'Porto Santo'];
    serve(searchPlaces, () => ({ data: { places: names.map((name) => ({ city: name, country: 'Portugal' })) } }));
    await person.clear(screen.getByLabelText(/^Country/));
    if (country !== '') await person.type(screen.getByLabelText(/^Country/), country);
    fireEvent.change(screen.getByLabelText(/^City/), { target: { value: city } });
    await passTime(1300);
    expect(remark() !== null).toBe(isUnknown);
  });

  it('shows no note about a city while known ones cannot be loaded', async () => {
    simulateTime();
    const { person } = await edit('Where I live');
    failWith(searchPlaces, new Refusal('INTERNAL', 'Not now'));
    await person.type(screen.getByLabelText(/^City/), 'x');
    await passTime(400);
    expect(remark()).toBeNull();
  });

  it('can be taken from the device, rounded to a kilometre', async () => {
    placeDevice({ latitude: 63.825847, longitude: 20.263035 });
    const { person } = await edit('Where I live');
    expect(
      screen.getByText(/three kilometers across, never the exact point\. You can change it 5 times a day\./),
    ).toBeVisible();
    await person.click(screen.getByRole('button', { name: 'Use my location' }));
    expect(await screen.findByText('Umeå, Sweden')).toBeVisible();
    expect(received(changeLocation).map(({ body }) => body)).toEqual([{ latitude: 63.83, longitude: 20.26 }]);
  });

  it.each([
    [1, /^Your browser is not sharing your location/],
    [2, /^Your device could not find its location/],
    [3, /^Your device could not find its location/],
  ] as const)('can be typed when the device fails with code %i', async (code, words) => {
    placeDevice({ code });
    const { person } = await edit('Where I live');
    await person.click(screen.getByRole('button', { name: 'Use my location' }));
    expect(await screen.findByRole('alert')).toHaveTextContent(words);
    expect(screen.getByLabelText(/^City/)).toHaveValue('Lisbon');
    expect(received(changeLocation)).toEqual([]);
  });
});

describe('goal and habits', () => {
  it('can be set and cleared', async () => {
    const { person } = await edit("What I'm looking for, and how I live", ownUser({ smoking: 'never' }));
    await person.selectOptions(screen.getByLabelText('Looking for'), 'friendship');
    await person.selectOptions(screen.getByLabelText('Smoking'), '');
    await person.type(screen.getByLabelText('Height in centimeters'), '171');
    await person.click(save());
    expect(await screen.findByText('171 cm')).toBeVisible();
    expect(sent()).toEqual([{ goal: 'friendship', smoking: null, heightCm: 171 }]);
    expect(screen.queryByText('Smoking')).toBeNull();
  });

  it('accept a height in the digits of any script', async () => {
    const { person } = await edit("What I'm looking for, and how I live");
    await person.type(screen.getByLabelText('Height in centimeters'), '١٧١');
    await person.click(save());
    expect(await screen.findByText('171 cm')).toBeVisible();
    expect(sent()).toEqual([{ heightCm: 171 }]);
  });

  it.each([
    ['tall', 'Use whole centimeters'],
    ['1.7', 'Use whole centimeters'],
    ['99', 'Use 120 or more'],
    ['231', 'Use 230 or less'],
  ])('refuse a height of %s', async (height, words) => {
    const { person } = await edit("What I'm looking for, and how I live");
    await person.type(screen.getByLabelText('Height in centimeters'), height);
    await person.click(save());
    expect(screen.getByLabelText('Height in centimeters')).toHaveAccessibleDescription(new RegExp(`^${words}`));
    expect(sent()).toEqual([]);
  });
});

describe('interests', () => {
  it('can be searched, added and removed', async () => {
    const { person } = await edit('Interests', ownUser({ interests: ['tea'] }));
    await person.type(screen.getByRole('searchbox', { name: 'Search interests' }), 'HIK');
    expect(screen.getAllByRole('checkbox')).toHaveLength(1);
    await person.click(screen.getByRole('checkbox', { name: 'hiking' }));
    expect(screen.getByText('2 of 10 chosen')).toBeVisible();
    await person.click(screen.getByRole('button', { name: 'Remove tea' }));
    expect(screen.getByRole('button', { name: 'Remove hiking' })).toHaveFocus();
    await person.keyboard('{Enter}');
    expect(screen.getByRole('searchbox')).toHaveFocus();
    await person.click(screen.getByRole('checkbox', { name: 'hiking' }));
    await person.click(save());
    await screen.findByText('Saved.');
    expect(sent()).toEqual([{ interests: ['hiking'] }]);
    expect(screen.getByText('hiking')).toBeVisible();
  });

  it('are limited to ten', async () => {
    const [first, ...rest] = interests.slice(0, 11);
    const { person } = await edit('Interests', ownUser({ interests: interests.slice(0, 10) }));
    const eleventh = screen.getByRole('checkbox', { name: rest.at(-1) ?? '' });
    await person.click(eleventh);
    expect(eleventh).not.toBeChecked();
    expect(screen.getByText('You can choose up to 10. Remove one to add another.')).toBeVisible();
    await person.click(screen.getByRole('button', { name: `Remove ${first}` }));
    await person.click(eleventh);
    expect(eleventh).toBeChecked();
  });

  it("show when nothing is found, and the server's error", async () => {
    const { person } = await edit('Interests');
    await person.type(screen.getByRole('searchbox'), 'qqq');
    expect(screen.getByText('No matches.')).toBeVisible();
    failWith(
      editProfile,
      new Refusal('INVALID_INPUT', 'Check the fields', {
        errors: [{ field: 'interests.0', msg: 'Not this one' }],
      }),
    );
    await person.click(save());
    expect(await screen.findByText('Not this one')).toBeVisible();
    expect(screen.getByRole('searchbox')).toHaveFocus();
  });
});

describe('the owner’s lists', () => {
  const lists: Lists = {
    interests: [
      { key: 'Tyrol', words: { en: 'In Tyrol' }, entries: [{ key: 'alpine huts', words: { en: 'Alpine huts' } }] },
    ],
    prompts: ['The hut', 'ask-me', 'teach-me'].map((key) => ({ key, words: { de: 'Die Hütte' } })),
    gone: [{ kind: 'interest', key: 'skat', words: { de: 'Skat', en: 'Skat evenings' } }],
  };
  const open = async (part: string, user: ReturnType<typeof ownUser>) => {
    serve(getLists, () => ({ data: { lists } }));
    return await edit(part, user, () => serviceConfig({ ownLists: true }));
  };

  it('replace the interests, and members keep those they chose before', async () => {
    const { person } = await open('Interests', ownUser({ interests: ['skat', 'chess'] }));
    expect(within(await screen.findByRole('group', { name: 'In Tyrol' })).getAllByRole('checkbox')).toHaveLength(1);
    await person.click(screen.getByRole('checkbox', { name: 'Alpine huts' }));
    expect(screen.getByRole('button', { name: 'Remove chess' })).toBeVisible();
    await person.click(screen.getByRole('button', { name: 'Remove Skat evenings' }));
    await person.click(save());
    await screen.findByText('Saved.');
    expect(sent()).toEqual([{ interests: ['chess', 'alpine huts'] }]);
  });

  it('replace the prompts, under their own name without words in the reader’s language', async () => {
    await open('In my own words', ownUser({ prompts: [{ prompt: 'small-joy', answer: 'rain' }] }));
    const options = within(await screen.findByLabelText('Prompt 1')).getAllByRole('option');
    const usual = ['Ask me about', 'Teach me how to', 'A small thing that makes my day'];
    expect(options.map(({ textContent }) => textContent)).toEqual(['The hut', ...usual]);
  });
});

describe('languages', () => {
  it('are shown in the page’s language', async () => {
    const { person } = await edit('Languages');
    await person.type(screen.getByRole('searchbox', { name: 'Search languages' }), 'swed');
    await person.click(screen.getByRole('checkbox', { name: 'Swedish' }));
    await person.click(save());
    await screen.findByText('Saved.');
    expect(sent()).toEqual([{ languages: ['sv'] }]);
    expect(screen.getByText('Swedish')).toBeVisible();
  });
});

describe('prompts', () => {
  const answer = (number: number) => screen.getByLabelText(`Your answer ${number}`);
  const beginning = (number: number) => screen.getByLabelText(`Prompt ${number}`);

  it('can each be chosen once, and are sent with an answer only', async () => {
    const { person } = await edit('In my own words');
    expect(screen.queryByLabelText('Prompt 2')).toBeNull();
    await person.selectOptions(beginning(1), 'ask-me');
    await person.type(answer(1), '  the lighthouse ');
    expect(within(beginning(2)).queryByRole('option', { name: 'Ask me about' })).toBeNull();
    await person.type(answer(2), '   ');
    await person.click(save());
    expect(await screen.findByText('the lighthouse', { selector: ':not(textarea)' })).toBeVisible();
    expect(sent()).toEqual([{ prompts: [{ prompt: 'ask-me', answer: 'the lighthouse' }] }]);
  });

  it('are limited to 200 characters, with an error at the right card', async () => {
    const { person } = await edit('In my own words');
    await person.type(answer(1), 'a');
    await person.click(answer(2));
    await person.paste('x'.repeat(201));
    await person.clear(answer(1));
    await person.click(save());
    expect(answer(2)).toHaveAccessibleDescription(/^Use at most 200 characters/);
  });
});

describe('the preferences', () => {
  it('are saved with the required ones', async () => {
    const { person } = await edit('Who I want to meet');
    await person.click(screen.getByRole('checkbox', { name: 'Women' }));
    fireEvent.change(screen.getByRole('slider', { name: 'Youngest age' }), { target: { value: '28' } });
    fireEvent.change(screen.getByRole('slider', { name: 'Distance' }), { target: { value: '3' } });
    await person.click(screen.getByRole('checkbox', { name: 'Age: a must' }));
    await person.click(save());
    await screen.findByText('Saved.');
    expect(received(putPreferences).map(({ body }) => body)).toEqual([
      {
        seeking: ['woman', 'man'],
        age: { min: 28, max: 120, required: false },
        distance: { maxKm: 50, required: false },
      },
    ]);
    expect(region('Who I want to meet').getByText('Women, Men')).toBeVisible();
    expect(screen.getByText('28 to 120 (nice to have)')).toBeVisible();
    expect(screen.getByText('Up to 30 miles (nice to have)')).toBeVisible();
  });

  it('begin at the minimum age of the service, also if younger ages are saved, which stay', async () => {
    const brand = { ...serviceConfig().brand, minimumAge: 40 };
    const { person } = await edit('Who I want to meet', ownUser(), () => serviceConfig({ brand }));
    fireEvent.change(screen.getByRole('slider', { name: 'Oldest age' }), { target: { value: '50' } });
    await person.click(save());
    expect(await screen.findByText('40 to 50 (a must)')).toBeVisible();
    expect(received(putPreferences)[0]?.body).toMatchObject({ age: { min: 18, max: 50, required: true } });
  });

  it('require at least one gender', async () => {
    const { person } = await edit('Who I want to meet');
    await person.click(screen.getByRole('checkbox', { name: 'Men' }));
    await person.click(save());
    expect(screen.getByRole('group', { name: 'I would like to meet' })).toHaveAccessibleDescription(
      'Choose at least one',
    );
    expect(received(putPreferences)).toEqual([]);
  });
});
