import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { login, logout } from '#contract/auth/session.ts';
import { CutOff, failWith, RawAnswer, received, Refusal, serve } from '../../../test/fake-server.ts';
import { administrator, moderator, ownUser } from '../../../test/fixtures/people.ts';
import { currentAddress, renderApp, serveBasics } from '../../../test/render-app.tsx';

const steps = { requiresVerification: false, requiresProfileCompletion: false, onboardingComplete: true };

function serveLogin(user = administrator()) {
  serveBasics(user);
  serve(login, () => ({ data: { token: 'token-2', refreshToken: 'refresh-2', user, ...steps } }));
}

async function openAndSignIn(at = '/login') {
  const { person } = renderApp(at);
  await person.type(await screen.findByLabelText(/^Email/), 'admin@heartwood.test');
  await person.type(screen.getByLabelText(/^Password/), 'heartwood-admin-demo');
  await person.click(screen.getByRole('button', { name: 'Sign In' }));
  return person;
}

describe('the staff sign-in page', () => {
  it('shows the texts of the specification', async () => {
    renderApp('/login');
    expect(await screen.findByRole('heading', { name: 'Admin Dashboard' })).toBeVisible();
    expect(screen.getByText('Manage users, subscriptions, and platform analytics')).toBeVisible();
    expect(screen.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
    expect(screen.getByText('Sign in to your admin account')).toBeVisible();
    expect(screen.getByLabelText(/^Email/)).toBeRequired();
    expect(screen.getByLabelText(/^Email/)).toHaveAttribute('type', 'email');
    expect(screen.getByLabelText(/^Password/)).toBeRequired();
    expect(screen.getByText('Contact system administrator for access credentials')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Sign in as a member' })).toHaveAttribute('href', '/app/sign-in');
    expect(document.title).toBe('Admin Dashboard · Heartwood');
  });

  it('opens Start on a device where it was chosen as the first page', async () => {
    localStorage.setItem('device:first-page', '/start');
    serveLogin();
    await openAndSignIn();
    await waitFor(() => expect(currentAddress()).toBe('/start'));
  });

  it('opens the dashboard and stores only the necessary user fields', async () => {
    serveLogin();
    await openAndSignIn();
    await waitFor(() => expect(currentAddress()).toBe('/dashboard'));
    expect(Object.keys(localStorage).sort()).toEqual(['refreshToken', 'token', 'user']);
    expect(localStorage.getItem('token')).toBe('token-2');
    expect(localStorage.getItem('refreshToken')).toBe('refresh-2');
    expect(Object.keys(JSON.parse(localStorage.getItem('user') ?? '{}') as object).sort()).toEqual([
      '_id',
      'email',
      'firstName',
      'isAdmin',
      'language',
      'lastName',
      'name',
      'staffRole',
    ]);
  });

  it('returns to the requested page with its filters', async () => {
    serveLogin(moderator());
    await openAndSignIn('/users?status=online#top');
    await waitFor(() => expect(currentAddress()).toBe('/users?status=online#top'));
  });

  it('shows that it is signing in', async () => {
    serveBasics();
    serve(login, () => new Promise(() => undefined));
    await openAndSignIn();
    expect(await screen.findByRole('button', { name: 'Signing In...' })).toBeVisible();
  });

  it('shows a warning to a user without the admin flag and ends the session', async () => {
    serveLogin(ownUser());
    serve(logout, () => ({ data: {} }));
    const person = await openAndSignIn();
    expect(await screen.findByRole('alert')).toHaveTextContent("You don't have admin privileges to access this panel.");
    expect(currentAddress()).toBe('/login');
    expect(localStorage).toHaveLength(0);
    await waitFor(() => expect(received(logout)[0]?.token).toBe('token-2'));
    await person.type(screen.getByLabelText(/^Email/), 'x');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it.each([
    [
      "the server's text",
      new Refusal('INVALID_CREDENTIALS', 'Email address or password is wrong'),
      'Email address or password is wrong',
    ],
    [
      'a deactivation with its reason',
      new Refusal('ACCOUNT_DEACTIVATED', 'Deactivated: left the team'),
      'Deactivated: left the team',
    ],
    ['no answer', new CutOff(), 'Network error - unable to reach server'],
    ['a broken server', new RawAnswer(500, ''), 'Server error: Please try again later.'],
  ])('shows %s as an alert, until a field is edited', async (_case, failure, text) => {
    failWith(login, failure);
    const person = await openAndSignIn();
    expect(await screen.findByRole('alert')).toHaveTextContent(text);
    expect(received(login)).toHaveLength(1);
    await person.type(screen.getByLabelText(/^Password/), 'x');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('shows the password on request', async () => {
    const { person } = renderApp('/login');
    const field = await screen.findByLabelText(/^Password/);
    await person.click(screen.getByRole('button', { name: 'Show password' }));
    expect(field).toHaveAttribute('type', 'text');
    await person.click(screen.getByRole('button', { name: 'Hide password' }));
    expect(field).toHaveAttribute('type', 'password');
  });
});

describe.each(['/login', '/app/sign-in'])('the form at %s', (path) => {
  async function typeInto(email: string, password: string) {
    serveLogin();
    const { person } = renderApp(path);
    await person.type(await screen.findByLabelText(/^Email/), email);
    await person.type(screen.getByLabelText(/^Password/), password);
  }

  it('requires the empty field and sends nothing', async () => {
    await typeInto('ada@heartwood.test', '{Enter}');
    expect(received(login)).toHaveLength(0);
    expect(screen.getByLabelText(/^Password/)).toHaveAccessibleDescription('This is required');
    expect(screen.getByLabelText(/^Password/)).toHaveFocus();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it.each(['no address', 'ada@', 'ada@@heartwood.test'])(
    'explains that %s is not an address, and sends nothing',
    async (typed) => {
      await typeInto(typed, 'heartwood-admin-demo{Enter}');
      expect(screen.getByLabelText(/^Email/)).toHaveAccessibleDescription('Use an address like name@example.org');
      expect(screen.getByLabelText(/^Email/)).toHaveFocus();
      expect(received(login)).toHaveLength(0);
    },
  );

  it('sends an address that the browser would reject', async () => {
    await typeInto('admin＠heartwood.test', 'heartwood-admin-demo{Enter}');
    await waitFor(() => expect(received(login)).toHaveLength(1));
  });
});
