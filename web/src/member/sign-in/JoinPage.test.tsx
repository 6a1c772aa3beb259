import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { register } from '#contract/auth/auth.ts';
import { CutOff, failWith, RawAnswer, received, Refusal, serve } from '../../../test/fake-server.ts';
import { ownUser } from '../../../test/fixtures/people.ts';
import { currentAddress, goBack, renderApp, serveBasics, serviceConfig } from '../../../test/render-app.tsx';

const field = (name: string) => screen.findByLabelText(name);
const email = () => field("What's your email?");
const firstName = () => field("What's your first name?");
const password = () => field('Choose a password');
const draft = () => sessionStorage.getItem('draft:join') ?? '';

/** Answers the questions before the password. */
async function answer(person: UserEvent, birthDate = '03021994') {
  await person.type(await email(), ' Ada@Heartwood.test{Enter}');
  await person.type(await firstName(), 'Ada{Enter}');
  await person.click(await field('Month'));
  await person.keyboard(`${birthDate}{Enter}`);
}

async function openAndJoin() {
  const { person, unmount } = renderApp('/app/join');
  await answer(person);
  await person.type(await password(), 'ring by ring by ring');
  await person.click(screen.getByRole('button', { name: 'Agree and join' }));
  return { person, unmount };
}

function serveJoin() {
  const user = ownUser({ isEmailVerified: false, profileComplete: false });
  serveBasics(user);
  serve(register, () => ({
    token: 'token-3',
    refreshToken: 'refresh-3',
    user,
    verificationToken: 'handle',
    requiresVerification: true,
    requiresProfileCompletion: true,
    onboardingComplete: false,
  }));
}

function refuse(failure: Error) {
  failWith(register, failure);
}

describe('joining', () => {
  it('asks one question after the other, sends all answers at the end, and asks for the code', async () => {
    serveJoin();
    const { person } = renderApp('/app/join');
    expect(await email()).toHaveFocus();
    await answer(person);
    expect(await password()).toHaveFocus();
    expect(received(register)).toEqual([]);
    await person.type(await password(), 'ring by ring by ring{Enter}');
    expect(await screen.findByRole('heading', { level: 1, name: 'Enter the six digits' })).toBeVisible();
    expect(currentAddress()).toBe('/app/verify-email');
    expect(received(register)[0]?.body).toEqual({
      firstName: 'Ada',
      email: 'ada@heartwood.test',
      birthDate: '1994-03-02',
      password: 'ring by ring by ring',
      acceptTerms: true,
    });
    expect(localStorage.getItem('token')).toBe('token-3');
  });

  it('keeps everything but the password across a reload', async () => {
    const { person, unmount } = renderApp('/app/join');
    await answer(person);
    await person.type(await password(), 'ring by ring by ring');
    expect(draft()).toContain('1994');
    expect(draft()).not.toContain('ring');
    unmount();
    const again = renderApp('/app/join?step=password');
    expect(await password()).toHaveValue('');
    await again.person.click(screen.getByRole('link', { name: 'Back' }));
    expect(await field('Year')).toHaveValue('1994');
    await again.person.click(screen.getByRole('link', { name: 'Back' }));
    expect(await firstName()).toHaveValue('Ada');
  });

  it('also goes back with the browser’s button, and loses nothing', async () => {
    const { person } = renderApp('/app/join');
    await answer(person);
    await person.type(await password(), 'ring by ring by ring');
    await goBack();
    await goBack();
    expect(await firstName()).toHaveValue('Ada');
    await person.keyboard('{Enter}');
    await screen.findByText("You're 32. Right?");
    await person.click(screen.getByRole('button', { name: 'Yes' }));
    expect(await password()).toHaveValue('ring by ring by ring');
  });

  it('opens the first unanswered question', async () => {
    renderApp('/app/join?step=password');
    expect(await email()).toBeVisible();
    expect(currentAddress()).toBe('/app/join');
  });

  it.each([
    ['nothing', '{Enter}', 'This is required'],
    ['no address', 'ada{Enter}', 'Use an address like name@example.org'],
  ])('stays at a field with %s, and describes it by the error', async (_, typed, text) => {
    const { person } = renderApp('/app/join');
    await person.type(await email(), typed);
    await waitFor(async () => expect(await email()).toHaveAccessibleDescription(text));
    expect(await email()).toHaveFocus();
    await person.type(await email(), 'a');
    expect(await email()).not.toHaveAccessibleDescription();
  });

  it('links to the terms and the privacy policy', async () => {
    const { person } = renderApp('/app/join');
    await answer(person);
    await password();
    const main = within(screen.getByRole('main'));
    expect(main.getByRole('link', { name: 'Privacy Policy' })).toHaveAttribute('href', '/privacy');
    expect(main.getByRole('link', { name: 'Terms' })).toHaveAttribute('href', '/app/terms');
  });

  it.each([
    ['a broken server', new RawAnswer(500, '{"message":"Something else"}'), 'User already exists'],
    ['no answer', new CutOff(), 'Network error - unable to reach server'],
  ])('shows an alert for %s, and keeps the password', async (_case, failure, text) => {
    refuse(failure);
    await openAndJoin();
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent(text));
    expect(await password()).toHaveValue('ring by ring by ring');
  });

  it.each([
    ['an address in use', new Refusal('EMAIL_TAKEN', 'User already exists'), "What's your email?"],
    [
      'a person under 18',
      new Refusal('UNDER_AGE', 'Too young', { errors: [{ field: 'birthDate', msg: 'Too young' }] }),
      'Year',
    ],
    [
      'a common password',
      new Refusal('PASSWORD_REFUSED', 'No', { errors: [{ field: 'password', msg: 'Too common' }] }),
      'Choose a password',
    ],
  ])('leads back to the field that the server refused: %s', async (_case, refusal, name) => {
    refuse(refusal);
    await openAndJoin();
    const refused = await field(name);
    await waitFor(() => expect(refused).toHaveFocus());
    expect(refused).toHaveAccessibleDescription(/User already exists|Too young|Too common/);
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('shows the owner’s reason instead of the form while no one may join', async () => {
    const sentence = { en: 'We open in June.' };
    renderApp('/app/join', undefined, undefined, () => serviceConfig({ registration: { mode: 'closed', sentence } }));
    expect(await screen.findByText('We open in June.')).toBeVisible();
    expect(screen.queryByLabelText("What's your email?")).toBeNull();
  });
});

describe('the birth date', () => {
  async function open(birthDate: string, minimumAge = 18) {
    const brand = { ...serviceConfig().brand, minimumAge };
    const app = renderApp('/app/join', undefined, undefined, () => serviceConfig({ brand }));
    await answer(app.person, birthDate);
    return app;
  }

  it.each([
    ['04311990', 'Month', 'Please check this date'],
    ['01011850', 'Month', 'Please check this date'],
    ['0412', 'Year', 'This is required'],
  ])('is refused if the date does not exist, like %s', async (typed, part, text) => {
    await open(typed);
    expect(await field(part)).toHaveAccessibleDescription(new RegExp(text));
    expect(await field(part)).toHaveFocus();
  });

  it.each([
    [18, 17],
    [50, 17],
    [50, 49],
  ])('under %s is refused at %s, and not stored on the device', async (minimum, age) => {
    await open(`0101${new Date().getFullYear() - age}`, minimum);
    expect(await field('Year')).toHaveAccessibleDescription(new RegExp(`You must be at least ${minimum} years old`));
    expect(screen.queryByText(/Right\?/)).toBeNull();
    expect(draft()).not.toContain('year');
    expect(received(register)).toEqual([]);
  });

  it('of someone who is just old enough leads on, to a consent that names the minimum', async () => {
    await open(`0101${new Date().getFullYear() - 50}`, 50);
    await password();
    expect(screen.getByText(/^I am 50 or older/)).toBeVisible();
  });

  it('can be pasted into the first box, and deleted across the boxes', async () => {
    const { person } = await open('');
    await person.click(await field('Month'));
    await person.paste('12/31/1990');
    expect(await field('Day')).toHaveValue('31');
    expect(await field('Year')).toHaveValue('1990');
    await person.click(await field('Year'));
    await person.keyboard('{Backspace>5/}');
    expect(await field('Day')).toHaveFocus();
  });
});
