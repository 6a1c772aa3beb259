import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { getPreferences, putPreferences } from '#contract/discovery.ts';
import { changeLocation, completeProfile, editProfile } from '#contract/profiles/profiles.ts';
import { CutOff, received, Refusal, serve } from '../../../test/fake-server.ts';
import { serveOwnProfile } from '../../../test/fixtures/own-profile.ts';
import { administrator, ownUser } from '../../../test/fixtures/people.ts';
import { ownPicture, ownProfilePicture } from '../../../test/fixtures/pictures.ts';
import { currentAddress, renderApp } from '../../../test/render-app.tsx';

const newcomer = ownUser({
  birthDate: null,
  age: null,
  gender: null,
  seeking: [],
  location: null,
  pictures: [ownProfilePicture('ada', { state: 'pending' })],
  profileComplete: false,
});
const goOn = () => screen.findByRole('button', { name: 'Save and continue' });
const heading = (name: string) => screen.findByRole('heading', { level: 1, name });

function open(user = newcomer, at = '/app/welcome') {
  serveOwnProfile(user);
  return renderApp(at, user);
}

describe('finishing the profile', () => {
  it('saves each step separately and ends at the first cards', async () => {
    const { person } = open();
    expect(await heading('Who are you?')).toBeVisible();
    expect(screen.getByText(/^Step 1 of 7\./)).toBeVisible();
    await person.type(screen.getByLabelText(/^Birth date/), '1994-03-02');
    await person.selectOptions(screen.getByLabelText(/^Gender/), 'woman');
    await person.click(await goOn());

    expect(await heading('Who would you like to meet?')).toHaveFocus();
    expect(document.title).toBe('Who would you like to meet? · Heartwood');
    expect(received(editProfile)[0]?.body).toMatchObject({ birthDate: '1994-03-02', gender: 'woman' });
    expect(screen.getByText(/^Step 2 of 7\./)).toBeVisible();
    await person.click(screen.getByRole('checkbox', { name: 'Men' }));
    await person.click(await goOn());

    await heading('Where do you live?');
    expect(received(putPreferences)[0]?.body).toMatchObject({ seeking: ['man'], age: null });
    await person.type(screen.getByLabelText(/^City/), 'Lisbon');
    await person.type(screen.getByLabelText(/^Country/), 'Portugal');
    await person.click(await goOn());

    await heading('Show yourself');
    expect(received(changeLocation)[0]?.body).toEqual({ city: 'Lisbon', country: 'Portugal' });
    expect(await screen.findByText('Waiting for review')).toBeVisible();
    await person.click(screen.getByRole('button', { name: 'Continue' }));

    await heading('What do you like?');
    await person.click(screen.getByRole('checkbox', { name: 'hiking' }));
    await person.click(await goOn());

    await heading('What are you looking for?');
    await person.click(screen.getByRole('button', { name: 'Skip' }));
    await heading('In your own words');
    await person.click(screen.getByRole('button', { name: 'Skip' }));
    expect(await heading('Discover')).toBeInTheDocument();
    expect(currentAddress()).toBe('/app/discover');
    expect(received(completeProfile)).toHaveLength(1);
    expect(received(editProfile).map(({ body }) => body)).toContainEqual({ interests: ['hiking'] });
  });

  it.each([
    [newcomer, 'Who are you?'],
    [ownUser({ profileComplete: false, seeking: [], location: null }), 'Who would you like to meet?'],
    [ownUser({ profileComplete: false, location: null }), 'Where do you live?'],
    [ownUser({ profileComplete: false, pictures: [] }), 'Show yourself'],
    [ownUser(), 'What do you like?'],
    [ownUser({ interests: ['tea'] }), 'What are you looking for?'],
    [ownUser({ interests: ['tea'], goal: 'friendship' }), 'In your own words'],
  ])('resumes at the first missing step (case %#)', async (user, title) => {
    open(user);
    expect(await heading(title)).toBeVisible();
  });

  it('is skipped for complete profiles', async () => {
    open(ownUser({ interests: ['tea'], goal: 'friendship', prompts: [{ prompt: 'ask-me', answer: 'tea' }] }));
    expect(await heading('Your profile')).toBeVisible();
  });

  it('keeps its step and typed text across a reload', async () => {
    const { person, unmount } = open(newcomer, '/app/welcome?step=place');
    await person.type(await screen.findByLabelText(/^City/), 'Porto');
    unmount();
    open(newcomer, '/app/welcome?step=place');
    expect(await screen.findByLabelText(/^City/)).toHaveValue('Porto');
  });

  it("suggests ages near the member's own, and lets people change them", async () => {
    const { person } = open(ownUser({ profileComplete: false, seeking: [], age: 20 }));
    await person.click(await screen.findByRole('checkbox', { name: 'Men' }));
    expect(screen.getByText('18 to 30')).toBeVisible();
    fireEvent.change(screen.getByRole('slider', { name: 'Oldest age' }), { target: { value: '25' } });
    await person.click(await goOn());
    await waitFor(() =>
      expect(received(putPreferences)[0]?.body).toMatchObject({ age: { min: 18, max: 25, required: true } }),
    );
  });

  it('leads back one step, or home to finish later', async () => {
    const { person } = open(newcomer, '/app/welcome?step=seeking');
    await person.click(await screen.findByRole('link', { name: 'Back' }));
    expect(await heading('Who are you?')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Finish later' })).toHaveAttribute('href', '/home');
  });

  it('links to Discover from the optional steps', async () => {
    open(ownUser(), '/app/welcome?step=goal');
    expect(await screen.findByRole('link', { name: 'Finish later' })).toHaveAttribute('href', '/app/discover');
  });

  it('requires what every profile needs', async () => {
    const { person } = open();
    await heading('Who are you?');
    await person.click(await goOn());
    expect(screen.getByLabelText(/^Birth date/)).toHaveAccessibleDescription(/^This is required/);
    expect(screen.getByLabelText(/^Gender/)).toHaveAccessibleDescription('This is required');
    expect(received(editProfile)).toEqual([]);
  });

  it('requires who the member would like to meet', async () => {
    const { person } = open(newcomer, '/app/welcome?step=seeking');
    await heading('Who would you like to meet?');
    await person.click(await goOn());
    expect(screen.getByText('Choose who you would like to meet')).toBeVisible();
    expect(screen.getByRole('checkbox', { name: 'Women' })).toHaveFocus();
  });

  it("shows the server's refusal of minors at the birth date field", async () => {
    const { person } = open();
    serve(editProfile, () => {
      const errors = [{ field: 'birthDate', msg: 'You have to be 18 or older' }];
      throw new Refusal('UNDER_AGE', 'You have to be 18 or older', { errors });
    });
    await person.type(await screen.findByLabelText(/^Birth date/), '2020-01-01');
    await person.selectOptions(screen.getByLabelText(/^Gender/), 'man');
    await person.click(await goOn());
    await waitFor(() => expect(screen.getByLabelText(/^Birth date/)).toHaveFocus());
    expect(screen.getByLabelText(/^Birth date/)).toHaveAccessibleDescription(/^You have to be 18 or older/);
  });

  it.each([
    ['no picture', []],
    ['only a rejected one', [ownPicture('one', { state: 'rejected', reason: 'A car' })]],
  ])('asks for a picture if there is %s', async (_what, pictures) => {
    const { person } = open(ownUser({ profileComplete: false, pictures }), '/app/welcome?step=pictures');
    expect(await screen.findByLabelText('Add pictures')).toBeVisible();
    await person.click(screen.getByRole('button', { name: 'Continue' }));
    expect(screen.getByRole('alert')).toHaveTextContent('Please add at least one picture, or finish later.');
  });

  it('leads back to what the server reports as missing', async () => {
    const { person } = open(ownUser({ profileComplete: false, location: null }), '/app/welcome?step=prompts');
    await heading('In your own words');
    await person.click(screen.getByRole('button', { name: 'Skip' }));
    expect(await heading('Where do you live?')).toBeVisible();
    expect(screen.getByRole('alert')).toHaveTextContent('Tell us location');
  });

  it('shows an error when the profile fails to load', async () => {
    serveOwnProfile(newcomer);
    serve(getPreferences, () => {
      throw new CutOff();
    });
    const { person } = renderApp('/app/welcome', newcomer);
    expect(await screen.findByRole('alert')).toHaveTextContent(/^Couldn't load your profile: Network error/);
    serveOwnProfile(newcomer);
    await person.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await heading('Who are you?')).toBeVisible();
  });

  it('is not for staff', async () => {
    open(administrator());
    renderApp('/app/welcome', administrator());
    await waitFor(() => expect(currentAddress()).toBe('/home'));
  });
});
