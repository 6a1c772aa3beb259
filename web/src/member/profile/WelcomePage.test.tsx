import { fireEvent, screen, waitFor } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { putAnswer } from '#contract/compatibility.ts';
import { countPeople, putPreferences } from '#contract/discovery.ts';
import { changeLocation, completeProfile, editProfile } from '#contract/profiles/profiles.ts';
import { showBrand } from '../../brand.ts';
import { keepDraft } from '../../ui/form/drafts.ts';
import { CutOff, failWith, received, Refusal, serve } from '../../../test/fake-server.ts';
import { placeDevice, serveOwnProfile } from '../../../test/fixtures/own-profile.ts';
import { administrator, ownUser } from '../../../test/fixtures/people.ts';
import { ownPicture, ownProfilePicture } from '../../../test/fixtures/pictures.ts';
import { currentAddress, renderApp, serviceConfig } from '../../../test/render-app.tsx';

const newcomer = ownUser({
  gender: null,
  seeking: [],
  location: null,
  pictures: [ownProfilePicture('ada', { state: 'pending' })],
  profileComplete: false,
});
const fromProvider = { ...newcomer, birthDate: null, age: null };
const heading = (name: string) => screen.findByRole('heading', { level: 1, name });
const press = async (person: UserEvent, name = 'Continue') => person.click(await screen.findByRole('button', { name }));

function open(user = newcomer, at = '/app/welcome', people: number | null = 240, config = serviceConfig()) {
  serveOwnProfile(user);
  serve(countPeople, () => ({ data: { people } }));
  // The document names the brand before the configuration arrives.
  showBrand(config.brand);
  return renderApp(at, user, user, () => config);
}

describe('finishing the profile', () => {
  it('asks one question after the other, saves each answer, and ends at the first cards', async () => {
    const { person } = open();
    await heading('Who would you like to meet?');
    await person.click(screen.getByRole('radio', { name: 'Woman' }));
    await person.click(screen.getByRole('checkbox', { name: 'Men' }));
    await press(person);

    expect(await heading('How old should they be?')).toHaveFocus();
    expect(document.title).toBe('How old should they be? · Heartwood');
    expect(received(editProfile)[0]?.body).toEqual({ gender: 'woman', seeking: ['man'] });
    await press(person);

    await heading('Where do you live?');
    await person.type(screen.getByLabelText(/^City/), 'Lisbon');
    await person.type(screen.getByLabelText(/^Country/), 'Portugal');
    await press(person);

    await heading('Show yourself');
    expect(received(changeLocation)[0]?.body).toEqual({ city: 'Lisbon', country: 'Portugal' });
    await press(person);

    await heading('In your own words');
    await person.type(screen.getByLabelText('Your answer 1'), 'Tea');
    expect(screen.getByRole('button', { name: 'Remove English' })).toBeVisible();
    await person.selectOptions(screen.getByLabelText('Languages you speak'), 'Swedish');
    await press(person);

    await heading('Three questions');
    await person.click(await screen.findByRole('radio', { name: 'Gladly' }));
    await press(person);
    expect(await heading('Discover')).toBeInTheDocument();
    expect(currentAddress()).toBe('/app/discover');
    expect(received(completeProfile)).toHaveLength(1);
    expect(received(editProfile)[1]?.body).toEqual({
      prompts: [{ prompt: 'perfect-sunday', answer: 'Tea' }],
      languages: ['en', 'sv'],
    });
    expect(received(putAnswer).map(({ body }) => body)).toEqual([
      { answer: 'gladly', accepted: ['gladly'], importance: 'a-little' },
    ]);
  });

  it.each([
    [fromProvider, 'When were you born?'],
    [newcomer, 'Who would you like to meet?'],
    [ownUser({ profileComplete: false, location: null }), 'How old should they be?'],
    [ownUser(), 'In your own words'],
  ])('resumes at the first missing step (case %#)', async (user, title) => {
    open(user);
    expect(await heading(title)).toBeVisible();
  });

  it('is skipped for complete profiles', async () => {
    open(ownUser({ prompts: [{ prompt: 'ask-me', answer: 'tea' }] }));
    await waitFor(() => expect(currentAddress()).toBe('/app/discover'));
  });

  it('keeps its step and typed text across a reload', async () => {
    const { person, unmount } = open(newcomer, '/app/welcome?step=place');
    await person.type(await screen.findByLabelText(/^City/), 'Porto');
    unmount();
    open(newcomer, '/app/welcome?step=place');
    expect(await screen.findByLabelText(/^City/)).toHaveValue('Porto');
  });

  it('asks people from a provider for their birth date, which they may have typed before', async () => {
    const edit = (value: string) => ({ value, from: '' });
    keepDraft('join', { day: edit('2'), month: edit('3'), year: edit('1994') });
    const { person } = open(fromProvider);
    await screen.findByText("You're 32. Right?");
    expect(screen.queryByRole('link', { name: 'Back' })).toBeNull();
    await press(person, 'Yes');
    await heading('Who would you like to meet?');
    expect(received(editProfile)[0]?.body).toEqual({ birthDate: '1994-03-02' });
  });

  it("shows the server's refusal of minors at the birth date", async () => {
    const { person } = open(fromProvider);
    const errors = [{ field: 'birthDate', msg: 'Too young' }];
    failWith(editProfile, new Refusal('UNDER_AGE', 'Too young', { errors }));
    await person.click(await screen.findByLabelText('Month'));
    await person.keyboard('03021994');
    await press(person, 'Yes');
    await waitFor(() => expect(screen.getByLabelText('Year')).toHaveFocus());
    expect(screen.getByLabelText('Year')).toHaveAccessibleDescription(/^Too young/);
  });

  it('suggests ages near the member’s own, counts who remains, and saves other ages', async () => {
    const { person } = open(ownUser({ profileComplete: false, age: 20 }), '/app/welcome?step=ages');
    expect(await screen.findByText('240 people')).toBeVisible();
    expect(screen.getByLabelText('Youngest age')).toHaveValue('18');
    expect(screen.getByLabelText('Oldest age')).toHaveValue('30');
    fireEvent.change(screen.getByLabelText('Oldest age'), { target: { value: '25' } });
    await waitFor(() =>
      expect(received(countPeople).at(-1)?.body).toEqual({ age: { min: 18, max: 25, required: true } }),
    );
    await press(person);
    await waitFor(() =>
      expect(received(putPreferences)[0]?.body).toEqual({ age: { min: 18, max: 25, required: true } }),
    );
  });

  it.each([20, 53])('suggests no ages below the minimum age of the service to someone of %d', async (age) => {
    const config = serviceConfig({ brand: { ...serviceConfig().brand, minimumAge: 50 } });
    const { person } = open(ownUser({ profileComplete: false, age }), '/app/welcome?step=ages', 240, config);
    await press(person);
    await waitFor(() =>
      expect(received(putPreferences)[0]?.body).toEqual({
        age: { min: 50, max: Math.max(age, 50) + 10, required: true },
      }),
    );
  });

  it('never shows a number below twenty', async () => {
    open(ownUser({ profileComplete: false }), '/app/welcome?step=ages', 0);
    expect(await screen.findByText('Fewer than 20 people')).toBeVisible();
  });

  it('shows the name of the device’s place, and sends nothing more', async () => {
    placeDevice({ latitude: 63.8258, longitude: 20.263 });
    const { person } = open(newcomer, '/app/welcome?step=place');
    await press(person, 'Use my location');
    expect(await screen.findByText('Umeå, Sweden')).toBeVisible();
    await press(person);
    await heading('Show yourself');
    expect(received(changeLocation)).toHaveLength(1);
  });

  it('goes back one step, or to the home page to finish later', async () => {
    const { person } = open(newcomer, '/app/welcome?step=ages');
    await person.click(await screen.findByRole('link', { name: 'Back' }));
    expect(await heading('Who would you like to meet?')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Later' })).toHaveAttribute('href', '/home');
  });

  it('lets people skip optional steps, even for good', async () => {
    const { person } = open(ownUser(), '/app/welcome?step=prompts');
    expect(await screen.findByRole('link', { name: 'Later' })).toHaveAttribute('href', '/app/discover');
    await press(person, 'Skip');
    await heading('Three questions');
    await press(person, 'Skip');
    await waitFor(() => expect(currentAddress()).toBe('/app/discover'));
    expect(received(putAnswer)).toEqual([]);
  });

  it('requires what every profile needs', async () => {
    const { person } = open();
    await heading('Who would you like to meet?');
    await press(person);
    expect(screen.getByText('This is required')).toBeVisible();
    expect(screen.getByText('Choose who you would like to meet')).toBeVisible();
    expect(screen.getByRole('radio', { name: 'Woman' })).toHaveFocus();
    expect(received(editProfile)).toEqual([]);
  });

  it.each([
    ['people', 'Who would you like to meet?'],
    ['ages', 'How old should they be?'],
  ])('stays at a step whose answer was lost: %s', async (step, title) => {
    const { person } = open({ ...newcomer, gender: 'woman', seeking: ['man'] }, `/app/welcome?step=${step}`);
    const lose = () => {
      throw new CutOff();
    };
    serve(editProfile, lose);
    serve(putPreferences, lose);
    await heading(title);
    await press(person);
    expect(await screen.findByRole('alert')).toHaveTextContent(/^Network error/);
    expect(await heading(title)).toBeVisible();
  });

  it.each([
    ['no picture', []],
    ['only a rejected one', [ownPicture('one', { state: 'rejected', reason: 'A car' })]],
  ])('asks for a picture if there is %s', async (_what, pictures) => {
    const { person } = open(ownUser({ profileComplete: false, pictures }), '/app/welcome?step=pictures');
    for (const place of ['You', 'Full length', 'Doing what you love', 'Add picture 4', 'Add picture 6'])
      expect(await screen.findByLabelText(place)).toBeVisible();
    await press(person);
    expect(screen.getByRole('alert')).toHaveTextContent('Please add at least one picture, or finish later.');
  });

  it('goes back to what the server reports as missing', async () => {
    const { person } = open(ownUser({ profileComplete: false, location: null }), '/app/welcome?step=questions');
    await press(person, 'Skip');
    expect(await heading('Where do you live?')).toBeVisible();
    expect(screen.getByRole('alert')).toHaveTextContent('Tell us location');
  });

  it('is not shown to staff', async () => {
    open(administrator());
    renderApp('/app/welcome', administrator());
    await waitFor(() => expect(currentAddress()).toBe('/home'));
  });
});
