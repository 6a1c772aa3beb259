import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { register } from '#contract/auth/auth.ts';
import { CutOff, RawAnswer, received, Refusal, serve } from '../../../test/fake-server.ts';
import { ownUser } from '../../../test/fixtures/people.ts';
import { currentAddress, renderApp, serveBasics } from '../../../test/render-app.tsx';

async function fillIn(person: UserEvent) {
  const values = [
    [/^First name/, 'Ada'],
    [/^Email/, ' Ada@Heartwood.test'],
    [/^Password/, 'ring by ring by ring'],
  ] as const;
  for (const [label, value] of values) {
    await person.click(await screen.findByLabelText(label));
    await person.paste(value);
  }
  await person.type(screen.getByLabelText(/^Birth date/), '1994-03-02');
  await person.selectOptions(screen.getByLabelText('Gender'), 'non-binary');
  await person.click(screen.getByRole('checkbox'));
}

async function openAndJoin() {
  const { person } = renderApp('/app/join');
  await fillIn(person);
  await person.click(screen.getByRole('button', { name: 'Join' }));
  return person;
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

describe('joining', () => {
  it('sends the form, signs in and asks for the code', async () => {
    serveJoin();
    await openAndJoin();
    expect(await screen.findByLabelText(/^Six-digit code/)).toBeVisible();
    expect(currentAddress()).toBe('/app/verify-email');
    expect(received(register)[0]?.body).toEqual({
      firstName: 'Ada',
      lastName: '',
      email: 'ada@heartwood.test',
      birthDate: '1994-03-02',
      gender: 'non-binary',
      password: 'ring by ring by ring',
      acceptTerms: true,
    });
    expect(localStorage.getItem('token')).toBe('token-3');
  });

  it('shows an error at each missing field and focuses the first', async () => {
    serveJoin();
    const { person } = renderApp('/app/join');
    const first = await screen.findByLabelText(/^First name/);
    const stateAtFocus = new Promise((resolve) =>
      first.addEventListener('focus', () => resolve(first.getAttribute('aria-invalid')), { once: true }),
    );
    await person.click(screen.getByRole('button', { name: 'Join' }));
    expect(await stateAtFocus).toBe('true');
    await waitFor(() => expect(first).toHaveFocus());
    expect(first).toHaveAccessibleDescription('This is required');
    expect(screen.getByLabelText(/^Birth date/)).toHaveAccessibleDescription(/This is required/);
    expect(screen.getByText('Accept the terms to join')).toBeVisible();
    expect(received(register)).toHaveLength(0);
    await person.type(first, 'A');
    expect(first).not.toHaveAccessibleDescription();
  });

  it('explains the password rule, and rejects a short one', async () => {
    const { person } = renderApp('/app/join');
    await fillIn(person);
    const password = screen.getByLabelText(/^Password/);
    expect(password).toHaveAccessibleDescription(/^At least 10 characters\./);
    await person.clear(password);
    await person.type(password, 'short');
    await person.click(screen.getByRole('button', { name: 'Join' }));
    await waitFor(() => expect(password).toHaveFocus());
    expect(password).toHaveAccessibleDescription(/Use at least 10 characters/);
  });

  it('links to the terms and the privacy policy', async () => {
    renderApp('/app/join');
    const main = within(await screen.findByRole('main'));
    expect(await main.findByRole('link', { name: 'Privacy Policy' })).toHaveAttribute('href', '/privacy');
    expect(main.getByRole('link', { name: 'Terms' })).toHaveAttribute('href', '/app/terms');
    expect(main.getByRole('checkbox')).toHaveAccessibleName(/^I am 18 or older and accept the Terms ?\. I agree that/);
  });

  it.each([
    ['an address in use', new Refusal('EMAIL_TAKEN', 'User already exists'), 'User already exists'],
    ['a broken server', new RawAnswer(500, '{"message":"Something else"}'), 'User already exists'],
    ['a person under 18', new Refusal('UNDER_AGE', 'You have to be 18 or older'), 'You have to be 18 or older'],
    ['no answer', new CutOff(), 'Network error - unable to reach server'],
  ])('shows an alert for %s', async (_case, failure, text) => {
    serve(register, () => {
      throw failure;
    });
    await openAndJoin();
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent(text));
    expect(currentAddress()).toBe('/app/join');
  });

  it("shows the server's error at its field", async () => {
    serve(register, () => {
      const errors = [{ field: 'password', msg: 'Too common' }];
      throw new Refusal('PASSWORD_REFUSED', 'Choose another password', { errors });
    });
    await openAndJoin();
    await waitFor(() => expect(screen.getByLabelText(/^Password/)).toHaveFocus());
    expect(screen.getByLabelText(/^Password/)).toHaveAccessibleDescription(/Too common/);
  });
});
