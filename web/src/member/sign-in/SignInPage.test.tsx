import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { restoreAccount } from '#contract/auth/auth.ts';
import { requestAppealLink } from '#contract/moderation/appeals.ts';
import { login } from '#contract/auth/session.ts';
import { CutOff, failWith, RawAnswer, received, Refusal, serve } from '../../../test/fake-server.ts';
import { cardOf, serveDeck } from '../../../test/fixtures/deck.ts';
import { administrator, ownUser } from '../../../test/fixtures/people.ts';
import { currentAddress, renderApp, serveBasics } from '../../../test/render-app.tsx';

const steps = { requiresVerification: false, requiresProfileCompletion: false, onboardingComplete: true };

function serveLogin(user = ownUser()) {
  serveBasics(user);
  serve(login, () => ({ data: { token: 'token-2', refreshToken: 'refresh-2', user, ...steps } }));
}

async function openAndSignIn(at = '/app/sign-in') {
  const { person } = renderApp(at);
  await person.type(await screen.findByLabelText(/^Email/), 'ada@heartwood.test');
  await person.type(screen.getByLabelText(/^Password/), 'heartwood-member-demo');
  await person.click(screen.getByRole('button', { name: 'Sign in' }));
  return person;
}

describe("the members' sign-in page", () => {
  it('opens Discover for members', async () => {
    serveDeck([cardOf('Bo')]);
    serveLogin();
    await openAndSignIn();
    expect(await screen.findByRole('button', { name: 'Like Bo' })).toBeVisible();
    expect(currentAddress()).toBe('/app/discover');
  });

  it.each([
    [{ ...steps, requiresVerification: true }, '/app/verify-email'],
    [{ ...steps, requiresProfileCompletion: true, onboardingComplete: false }, '/app/welcome'],
  ])('opens the next step for members who have not finished joining', async (open, address) => {
    const user = ownUser({ profileComplete: false, birthDate: null });
    serveBasics(user);
    serve(login, () => ({ data: { token: 'token-2', refreshToken: 'refresh-2', user, ...open } }));
    await openAndSignIn();
    await waitFor(() => expect(currentAddress().split('?')[0]).toBe(address));
  });

  it('opens the dashboard for staff', async () => {
    serveLogin(administrator());
    await openAndSignIn();
    await waitFor(() => expect(currentAddress()).toBe('/dashboard'));
  });

  it('returns to the requested page, even from the staff sign-in page', async () => {
    serveLogin();
    const { person } = renderApp('/home?from=mail');
    await person.click(await screen.findByRole('link', { name: 'Sign in as a member' }));
    await screen.findByRole('link', { name: 'Join Heartwood' });
    await person.type(await screen.findByLabelText(/^Email/), 'ada@heartwood.test');
    await person.type(screen.getByLabelText(/^Password/), 'heartwood-member-demo{Enter}');
    await waitFor(() => expect(currentAddress()).toBe('/home?from=mail'));
  });

  it('shows the reason of a deactivation, without a button', async () => {
    failWith(login, new Refusal('ACCOUNT_DEACTIVATED', 'Your account was deactivated: spam'));
    await openAndSignIn();
    expect(await screen.findByRole('alert')).toHaveTextContent('Your account was deactivated: spam');
    expect(screen.queryByRole('button', { name: 'Restore account' })).toBeNull();
  });

  it('emails people whose account was closed what they can do, on a click', async () => {
    failWith(login, new Refusal('ACCOUNT_DEACTIVATED', 'Your account was deactivated: spam'));
    serve(requestAppealLink, () => ({ data: {} }));
    const person = await openAndSignIn();
    await person.click(await screen.findByRole('button', { name: 'Email me what I can do' }));
    expect(await screen.findByText(/^We sent you an email/)).toBeVisible();
    expect(received(requestAppealLink).map(({ body }) => body)).toEqual([{ email: 'ada@heartwood.test' }]);
  });

  it.each(['', '{}', '<html>Bad gateway</html>'])(
    'shows "Login failed" for a refusal without a text: %s',
    async (body) => {
      failWith(login, new RawAnswer(401, body));
      await openAndSignIn();
      expect(await screen.findByRole('alert')).toHaveTextContent('Login failed');
    },
  );

  it('shows a fallback text when there is no answer', async () => {
    failWith(login, new CutOff());
    await openAndSignIn();
    expect(await screen.findByRole('alert')).toHaveTextContent('Network error - unable to reach server');
  });

  it('offers to restore an account about to be deleted, and then signs in', async () => {
    serveBasics(ownUser());
    let isLeaving = true;
    serve(login, () => {
      if (isLeaving)
        throw new Refusal('ACCOUNT_LEAVING', 'Your account will be deleted', { data: { restoreToken: 'back' } });
      return { data: { token: 'token-2', refreshToken: 'refresh-2', user: ownUser(), ...steps } };
    });
    serve(restoreAccount, () => {
      isLeaving = false;
      return { data: {} };
    });
    const person = await openAndSignIn();
    const restoreButton = await screen.findByRole('button', { name: 'Restore account' });
    expect(screen.getByText('Your account will be deleted')).toHaveAttribute('role', 'status');
    expect(screen.queryByRole('alert')).toBeNull();
    await person.click(restoreButton);
    await waitFor(() => expect(currentAddress()).toBe('/app/discover'));
    expect(received(restoreAccount)[0]?.body).toEqual({ token: 'back' });
  });

  it('shows why an offered account could not be restored as an error', async () => {
    failWith(login, new Refusal('ACCOUNT_LEAVING', 'Your account will be deleted', { data: { restoreToken: 'back' } }));
    failWith(restoreAccount, new Refusal('INVALID_CODE', 'Too late'));
    const person = await openAndSignIn();
    await person.click(await screen.findByRole('button', { name: 'Restore account' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Too late');
  });

  it('restores an account from an emailed link, and removes the token from the address bar', async () => {
    serve(restoreAccount, () => ({ data: {} }));
    const { person } = renderApp('/app/sign-in#restore=mailed');
    await waitFor(() => expect(currentAddress()).toBe('/app/sign-in'));
    await person.click(await screen.findByRole('button', { name: 'Restore account' }));
    expect(await screen.findByText(/^Welcome back\./)).toBeVisible();
    expect(received(restoreAccount)[0]?.body).toEqual({ token: 'mailed' });
  });

  it('asks for the code of two-step verification before it restores an account', async () => {
    serve(restoreAccount, ({ body }) => {
      if (body.code === '123456') return { data: {} };
      throw new Refusal('INVALID_INPUT', 'Enter a code', { errors: [{ field: 'code', msg: 'Enter a code' }] });
    });
    const { person } = renderApp('/app/sign-in#restore=mailed');
    await person.click(await screen.findByRole('button', { name: 'Restore account' }));
    await person.type(await screen.findByLabelText(/^Code from your app/), '123456');
    await person.click(screen.getByRole('button', { name: 'Restore account' }));
    expect(await screen.findByText(/Welcome back/)).toBeVisible();
    expect(received(restoreAccount).at(-1)?.body).toEqual({ token: 'mailed', code: '123456' });
  });

  it('shows when the account can no longer be restored', async () => {
    failWith(restoreAccount, new Refusal('INVALID_CODE', 'This link is no longer valid'));
    const { person } = renderApp('/app/sign-in#restore=old');
    await person.click(await screen.findByRole('button', { name: 'Restore account' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('This link is no longer valid');
  });
});
