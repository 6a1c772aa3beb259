import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { resendVerification, verifyEmail } from '#contract/auth/auth.ts';
import { CutOff, received, Refusal, serve } from '../../../test/fake-server.ts';
import { ownUser } from '../../../test/fixtures/people.ts';
import { currentAddress, renderApp, serveBasics } from '../../../test/render-app.tsx';

const newcomer = ownUser({ isEmailVerified: false });

describe('confirming the email address', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('works by link, whose token is used once and removed from the address bar', async () => {
    serve(verifyEmail, () => ({ token: 'token-5', refreshToken: 'refresh-5', user: ownUser() }));
    renderApp('/app/verify-email?token=from-the-mail');
    expect(await screen.findByText('Thanks, your email address is confirmed.')).toBeVisible();
    await waitFor(() => expect(currentAddress()).toBe('/app/verify-email'));
    expect(received(verifyEmail).map(({ body }) => body)).toEqual([{ token: 'from-the-mail' }]);
    expect(localStorage.getItem('token')).toBe('token-5');
    expect(screen.getByRole('link', { name: 'Continue' })).toHaveAttribute('href', '/home');
  });

  it('leads members with an incomplete profile to it', async () => {
    const incomplete = ownUser({ _id: 'newcomer', profileComplete: false });
    serveBasics(incomplete);
    serve(verifyEmail, () => ({ token: 'token-5', refreshToken: 'refresh-5', user: incomplete }));
    renderApp('/app/verify-email?token=from-the-mail', undefined, incomplete);
    await screen.findByText('Thanks, your email address is confirmed.');
    expect(screen.getByRole('link', { name: 'Continue' })).toHaveAttribute('href', '/app/welcome');
  });

  it('leads visitors to sign in if the link does not', async () => {
    serve(verifyEmail, () => ({}));
    renderApp('/app/verify-email?token=from-the-mail');
    await screen.findByText('Thanks, your email address is confirmed.');
    expect(screen.getAllByRole('link', { name: 'Sign in' }).at(-1)).toHaveAttribute('href', '/app/sign-in');
    expect(localStorage).toHaveLength(0);
  });

  it('says when a link is invalid, and offers another way', async () => {
    serve(verifyEmail, () => {
      throw new Refusal('INVALID_CODE', 'This link has been used or is too old');
    });
    renderApp('/app/verify-email?token=old');
    expect(await screen.findByRole('alert')).toHaveTextContent('This link has been used or is too old');
    expect(screen.getByRole('button', { name: 'Send a new code' })).toBeVisible();
  });

  it('works by the code alone when signed in', async () => {
    serve(verifyEmail, () => ({}));
    const { person } = renderApp('/app/verify-email', newcomer);
    await person.type(await screen.findByLabelText(/^Six-digit code/), '12 34 56');
    await person.click(screen.getByRole('button', { name: 'Confirm' }));
    expect(await screen.findByText('Thanks, your email address is confirmed.')).toBeVisible();
    expect(received(verifyEmail)[0]?.body).toEqual({ code: '123456' });
  });

  it.each(['021 463', 'Code: 02-14-63', ' 0214639'])('finds the code in what is pasted: "%s"', async (text) => {
    serve(verifyEmail, () => ({}));
    const { person } = renderApp('/app/verify-email', newcomer);
    await person.click(await screen.findByLabelText(/^Six-digit code/));
    await person.paste(text);
    expect(screen.getByLabelText(/^Six-digit code/)).toHaveValue('021463');
    await person.keyboard('{Enter}');
    await waitFor(() => expect(received(verifyEmail)[0]?.body).toEqual({ code: '021463' }));
  });

  it('keeps the code in the field when it is wrong', async () => {
    serve(verifyEmail, () => {
      throw new Refusal('INVALID_CODE', 'That is not the code');
    });
    const { person } = renderApp('/app/verify-email', newcomer);
    await person.type(await screen.findByLabelText(/^Six-digit code/), '111111{Enter}');
    expect(await screen.findByRole('alert')).toHaveTextContent('That is not the code');
    expect(screen.getByLabelText(/^Six-digit code/)).toHaveValue('111111');
    expect(screen.getByLabelText(/^Six-digit code/)).toHaveFocus();
  });

  it('works for visitors with the code of a new email', async () => {
    serve(resendVerification, () => ({ emailVerificationSent: true, verificationToken: 'handle-2' }));
    serve(verifyEmail, () => ({}));
    const { person } = renderApp('/app/verify-email');
    expect(screen.queryByLabelText(/^Six-digit code/)).toBeNull();
    await person.click(await screen.findByRole('button', { name: 'Send a new code' }));
    expect(screen.getByLabelText('Email')).toHaveAccessibleDescription(/Use an address like/);
    await person.type(screen.getByLabelText('Email'), 'ada@heartwood.test');
    await person.click(screen.getByRole('button', { name: 'Send a new code' }));
    await person.type(await screen.findByLabelText(/^Six-digit code/), '654321{Enter}');
    expect(await screen.findByText('Thanks, your email address is confirmed.')).toBeVisible();
    expect(received(resendVerification)[0]?.body).toEqual({ email: 'ada@heartwood.test' });
    expect(received(verifyEmail)[0]?.body).toEqual({ code: '654321', verificationToken: 'handle-2' });
  });

  it('sends again once a minute, and counts down', async () => {
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
    serve(resendVerification, () => {
      throw new CutOff();
    });
    const { person } = renderApp('/app/verify-email', newcomer);
    await person.click(await screen.findByRole('button', { name: 'Send a new code' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Network error: Unable to connect to server.');
  });
});
