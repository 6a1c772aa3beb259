import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { resendVerification, undoRegister, verifyEmail } from '#contract/auth/auth.ts';
import { logout } from '#contract/auth/session.ts';
import { useSession } from '../../features/auth/session/session.ts';
import { keepDraft } from '../../ui/form/drafts.ts';
import type { LinkProof } from '../../features/auth/session/session-commands.ts';
import { CutOff, failWith, RawAnswer, received, Refusal, serve } from '../../../test/fake-server.ts';
import { ownUser } from '../../../test/fixtures/people.ts';
import { currentAddress, renderApp, serveBasics } from '../../../test/render-app.tsx';

const newcomer = ownUser({ isEmailVerified: false });

describe('confirming the email address', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  const press = async (person: ReturnType<typeof renderApp>['person']) =>
    person.click(await screen.findByRole('button', { name: 'Confirm my email address' }));
  const isConfirmed = () => waitFor(() => expect(currentAddress()).toBe('/app/discover'));
  const codeField = () => screen.findByLabelText('Enter the six digits');
  const needs = (proof: Partial<LinkProof>) => {
    const known = { purpose: 'join' as const, hasPassword: true, hasFactor: false, hasPasskey: false, ...proof };
    return new Refusal('PROOF_REQUIRED', 'Please confirm that this is your account.', { data: { proof: known } });
  };

  it('sends nothing before the click, because mail scanners open links too', async () => {
    renderApp('/app/verify-email#token=from-the-mail');
    await screen.findByRole('button', { name: 'Confirm my email address' });
    await waitFor(() => expect(currentAddress()).toBe('/app/verify-email'));
    expect(received(verifyEmail)).toHaveLength(0);
  });

  it('shows an internationalised domain in readable form', async () => {
    renderApp('/app/verify-email', { ...newcomer, email: 'u@xn--80a1acny.xn--p1ai' });
    expect(await screen.findByText(/^We sent them to u@почта.рф\./)).toBeVisible();
  });

  it('works with the link in the session that signed up', async () => {
    serve(verifyEmail, () => ({}));
    const { person } = renderApp('/app/verify-email#token=from-the-mail', newcomer);
    await press(person);
    await isConfirmed();
    expect(received(verifyEmail).map(({ body }) => body)).toEqual([{ token: 'from-the-mail' }]);
  });

  it('asks visitors for the password and signs them in', async () => {
    serve(verifyEmail, ({ body }) => {
      if ('password' in body) return { token: 'token-5', refreshToken: 'refresh-5', user: ownUser() };
      throw needs({});
    });
    const { person } = renderApp('/app/verify-email#token=from-the-mail');
    await press(person);
    const field = await screen.findByLabelText(/^Password/);
    await waitFor(() => expect(field).toHaveFocus());
    await person.type(field, 'my password{Enter}');
    await isConfirmed();
    expect(received(verifyEmail).at(-1)?.body).toEqual({ token: 'from-the-mail', password: 'my password' });
    expect(localStorage.getItem('token')).toBe('token-5');
  });

  it('lets visitors who do not know the password choose a new one', async () => {
    serve(verifyEmail, ({ body }) => {
      if ('newPassword' in body) return { token: 'token-5', refreshToken: 'refresh-5', user: ownUser() };
      throw needs({});
    });
    const { person } = renderApp('/app/verify-email#token=from-the-mail');
    await press(person);
    await person.click(await screen.findByRole('button', { name: "I don't know the password" }));
    const field = screen.getByLabelText(/^New password/);
    expect(field).toHaveAccessibleDescription(/All other sign-in methods will be removed/);
    await person.type(field, 'four quiet walnut trees');
    await person.click(screen.getByRole('button', { name: 'Set password and confirm' }));
    await isConfirmed();
    expect(received(verifyEmail).at(-1)?.body).toEqual({
      token: 'from-the-mail',
      newPassword: 'four quiet walnut trees',
    });
  });

  it('offers no new password for a changed address', async () => {
    failWith(verifyEmail, needs({ purpose: 'change' }));
    const { person } = renderApp('/app/verify-email#token=from-the-mail');
    await press(person);
    await screen.findByLabelText(/^Password/);
    expect(screen.queryByRole('button', { name: "I don't know the password" })).toBeNull();
  });

  it('opens the profile if it is incomplete', async () => {
    const incomplete = ownUser({ _id: 'newcomer', profileComplete: false });
    serveBasics(incomplete);
    serve(verifyEmail, () => ({ token: 'token-5', refreshToken: 'refresh-5', user: incomplete }));
    const { person } = renderApp('/app/verify-email#token=from-the-mail', undefined, incomplete);
    await press(person);
    await waitFor(() => expect(currentAddress()).toMatch(/^\/app\/welcome/));
  });

  it('links to the sign-in page if the link does not sign visitors in', async () => {
    serve(verifyEmail, () => ({}));
    const { person } = renderApp('/app/verify-email#token=from-the-mail');
    await press(person);
    expect(await screen.findByText('Your email address is confirmed. Sign in to continue.')).toBeVisible();
    expect(currentAddress()).toBe('/app/sign-in');
    expect(localStorage).toHaveLength(0);
  });

  it('shows when a link is invalid and offers another way', async () => {
    failWith(verifyEmail, new Refusal('INVALID_CODE', 'This link has been used or is too old'));
    const { person } = renderApp('/app/verify-email#token=old');
    await press(person);
    expect(await screen.findByRole('alert')).toHaveTextContent('This link has been used or is too old');
    expect(screen.getByRole('button', { name: 'Send a new code' })).toBeVisible();
  });

  it('works with only the code when signed in', async () => {
    serve(verifyEmail, () => ({}));
    const { person } = renderApp('/app/verify-email', newcomer);
    await person.type(await codeField(), '१२ 34 ５६');
    await isConfirmed();
    expect(received(verifyEmail).map(({ body }) => body)).toEqual([{ code: '123456' }]);
  });

  it('sends the code once, even with Enter after the sixth digit, and again after a correction', async () => {
    serve(verifyEmail, ({ body }) => {
      if (!('code' in body) || body.code !== '123457') throw new Refusal('INVALID_CODE', 'That is not the code');
      return {};
    });
    const { person } = renderApp('/app/verify-email', newcomer);
    await person.type(await codeField(), '123456{Enter}');
    await screen.findByRole('alert');
    expect(received(verifyEmail)).toHaveLength(1);
    await person.keyboard('{Backspace}7');
    await isConfirmed();
    expect(received(verifyEmail)).toHaveLength(2);
  });

  it.each([
    ['deletes the account with a mistyped address', () => ({ data: {} })],
    [
      'leaves a mistyped address also if that fails',
      () => {
        throw new Refusal('CONFLICT', 'This address is already confirmed.');
      },
    ],
  ])('%s, and keeps the other answers', async (_, answer) => {
    serve(undoRegister, answer);
    serve(logout, () => ({ data: {} }));
    const edit = (value: string) => ({ value, from: '' });
    keepDraft('join', { email: edit('adda@heartwood.test'), firstName: edit('Ada') });
    const { person } = renderApp('/app/verify-email', newcomer);
    await person.click(await screen.findByRole('button', { name: 'Wrong address?' }));
    expect(await screen.findByLabelText("What's your email?")).toHaveValue('');
    expect(useSession.getState().token).toBeNull();
    expect(received(undoRegister)).toMatchObject([{ token: 'token-1' }]);
    await person.type(screen.getByLabelText("What's your email?"), 'ada@heartwood.test{Enter}');
    expect(await screen.findByLabelText("What's your first name?")).toHaveValue('Ada');
  });

  it.each(['021 463', 'Code: 02-14-63', ' 0214639'])('extracts the code from pasted text: "%s"', async (text) => {
    serve(verifyEmail, () => ({}));
    const { person } = renderApp('/app/verify-email', newcomer);
    await person.click(await codeField());
    await person.paste(text);
    await isConfirmed();
    expect(received(verifyEmail).map(({ body }) => body)).toEqual([{ code: '021463' }]);
  });

  it('shows "verification failed" if a refusal has no text', async () => {
    failWith(verifyEmail, new RawAnswer(400, '{}'));
    const { person } = renderApp('/app/verify-email', newcomer);
    await person.type(await codeField(), '111111{Enter}');
    expect(await screen.findByRole('alert')).toHaveTextContent('verification failed');
  });

  it('keeps the code in the field when it is wrong', async () => {
    failWith(verifyEmail, new Refusal('INVALID_CODE', 'That is not the code'));
    const { person } = renderApp('/app/verify-email', newcomer);
    await person.type(await codeField(), '111111{Enter}');
    expect(await screen.findByRole('alert')).toHaveTextContent('That is not the code');
    expect(await codeField()).toHaveValue('111111');
    expect(await codeField()).toHaveFocus();
  });

  it('asks visitors who enter the code of a new email for the password', async () => {
    serve(resendVerification, () => ({ emailVerificationSent: true, verificationToken: 'handle-2' }));
    serve(verifyEmail, ({ body }) => {
      if ('password' in body) return { token: 'token-5', refreshToken: 'refresh-5', user: ownUser() };
      throw needs({});
    });
    const { person } = renderApp('/app/verify-email');
    expect(screen.queryByLabelText('Enter the six digits')).toBeNull();
    await person.click(await screen.findByRole('button', { name: 'Send a new code' }));
    expect(screen.getByLabelText('Email')).toHaveAccessibleDescription(/Use an address like/);
    await person.type(screen.getByLabelText('Email'), 'ada@heartwood.test');
    await person.click(screen.getByRole('button', { name: 'Send a new code' }));
    await person.type(await codeField(), '654321{Enter}');
    const field = await screen.findByLabelText(/^Password/);
    await waitFor(() => expect(field).toHaveFocus());
    await person.click(screen.getByRole('button', { name: 'Use another code' }));
    await person.type(await codeField(), '654321');
    await person.type(await screen.findByLabelText(/^Password/), 'my password{Enter}');
    await isConfirmed();
    expect(received(resendVerification)[0]?.body).toEqual({ email: 'ada@heartwood.test' });
    const shown = { code: '654321', verificationToken: 'handle-2' };
    expect(received(verifyEmail)[0]?.body).toEqual(shown);
    expect(received(verifyEmail).at(-1)?.body).toEqual({ ...shown, password: 'my password' });
  });

  it('sends another email at most once a minute, with a countdown', async () => {
    serve(resendVerification, () => ({ emailVerificationSent: true }));
    const { person } = renderApp('/app/verify-email', newcomer);
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    await person.click(await screen.findByRole('button', { name: 'Send a new code' }));
    expect(await screen.findByText('We sent you a new code.')).toBeVisible();
    const waiting = screen.getByRole('button', { name: /^Send again in \d+ seconds$/ });
    await person.click(waiting);
    expect(received(resendVerification)).toHaveLength(1);
    for (let second = 0; second < 61; second += 1) await act(() => vi.advanceTimersByTimeAsync(1000));
    await waitFor(() => expect(screen.getByRole('button', { name: 'Send a new code' })).toBeVisible());
  });

  it('shows why no email was sent', async () => {
    failWith(resendVerification, new CutOff());
    const { person } = renderApp('/app/verify-email', newcomer);
    await person.click(await screen.findByRole('button', { name: 'Send a new code' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Network error: Unable to connect to server.');
  });
});
