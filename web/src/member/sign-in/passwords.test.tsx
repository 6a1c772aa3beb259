import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { forgotPassword, resetMethods, resetPassword } from '#contract/auth/auth.ts';
import type { AnswerOf } from '#contract/endpoint.ts';
import { failWith, received, Refusal, serve } from '../../../test/fake-server.ts';
import { ownUser } from '../../../test/fixtures/people.ts';
import { currentAddress, renderApp } from '../../../test/render-app.tsx';

describe('asking for a new password', () => {
  it('shows the same answer for known and unknown addresses', async () => {
    serve(forgotPassword, () => ({ data: {} }));
    const { person } = renderApp('/app/forgot-password');
    await person.type(await screen.findByLabelText(/^Email/), 'who@heartwood.test');
    await person.click(screen.getByRole('button', { name: 'Send the link' }));
    expect(
      await screen.findByText(
        'If this address belongs to an account, we have sent an email. Its link works once, for 30 minutes.',
      ),
    ).toBeVisible();
  });

  it('requires an address', async () => {
    const { person } = renderApp('/app/forgot-password');
    await person.click(await screen.findByRole('button', { name: 'Send the link' }));
    expect(screen.getByLabelText(/^Email/)).toHaveAccessibleDescription('This is required');
    expect(received(forgotPassword)).toHaveLength(0);
  });
});

describe('setting a new password', () => {
  it("uses the link's token, removes it from the address bar and signs this device out", async () => {
    serve(resetPassword, () => ({ data: {} }));
    const { person } = renderApp('/app/reset-password#token=from-the-mail', ownUser());
    await waitFor(() => expect(currentAddress()).toBe('/app/reset-password'));
    await person.type(await screen.findByLabelText(/^New password/), 'ring by ring by ring');
    await person.click(screen.getByRole('button', { name: 'Change password' }));
    expect(await screen.findByText('Your password was changed, and all your devices were signed out.')).toBeVisible();
    expect(received(resetPassword)[0]?.body).toEqual({
      token: 'from-the-mail',
      password: 'ring by ring by ring',
      keep: [],
    });
    expect(localStorage).toHaveLength(0);
    expect(currentAddress()).toBe('/app/reset-password');
  });

  it('keeps only the sign-in methods that the user selects', async () => {
    const addedAt = '2026-01-05T10:00:00.000Z';
    serve(resetMethods, (): Pick<AnswerOf<typeof resetMethods>, 'data'> => ({
      data: {
        methods: [
          { _id: 'google', kind: 'google', name: null, addedAt },
          { _id: 'passkey-1', kind: 'passkey', name: 'My phone', addedAt },
        ],
      },
    }));
    serve(resetPassword, () => ({ data: {} }));
    const { person } = renderApp('/app/reset-password#token=from-the-mail');
    expect(await screen.findByRole('checkbox', { name: /^Google, added/ })).not.toBeChecked();
    await person.click(screen.getByRole('checkbox', { name: /^Passkey “My phone”/ }));
    await person.type(screen.getByLabelText(/^New password/), 'ring by ring by ring{Enter}');
    await waitFor(() => expect(received(resetPassword)[0]?.body).toMatchObject({ keep: ['passkey-1'] }));
  });

  it('shows when the link is invalid and how to get another', async () => {
    failWith(resetPassword, new Refusal('INVALID_CODE', 'This link has been used or is too old'));
    const { person } = renderApp('/app/reset-password#token=old');
    await person.type(await screen.findByLabelText(/^New password/), 'ring by ring by ring{Enter}');
    expect(await screen.findByRole('alert')).toHaveTextContent('This link has been used or is too old');
    expect(screen.getByRole('link', { name: 'Ask for a new link' })).toHaveAttribute('href', '/app/forgot-password');
  });

  it('shows a rejected password at its field', async () => {
    serve(resetPassword, () => {
      const errors = [{ field: 'password', msg: 'Staff need 15 characters' }];
      throw new Refusal('PASSWORD_REFUSED', 'Choose another password', { errors });
    });
    const { person } = renderApp('/app/reset-password#token=x');
    await person.type(await screen.findByLabelText(/^New password/), 'ring by ring{Enter}');
    await waitFor(() => expect(screen.getByLabelText(/^New password/)).toHaveAccessibleDescription(/Staff need 15/));
  });

  it('requires the link', async () => {
    renderApp('/app/reset-password');
    expect(await screen.findByRole('alert')).toHaveTextContent('Open this page with the link from our email.');
  });
});
