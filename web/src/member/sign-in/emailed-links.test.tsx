import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { cancelEmailChange, restoreEmail, stopRestore } from '#contract/auth/auth.ts';
import { confirmRemoval, stopRemoval } from '#contract/auth/factors.ts';
import { getProfile } from '#contract/profiles/profiles.ts';
import { failWith, received, Refusal, serve } from '../../../test/fake-server.ts';
import { ownUser } from '../../../test/fixtures/people.ts';
import { currentAddress, renderApp } from '../../../test/render-app.tsx';
import { keepSession } from '../../api/session/stored-session.ts';

describe('cancelling a change of address', () => {
  it.each(['#', '?'])(
    'takes one click on a link with its token after %s, and removes the token from the address',
    async (mark) => {
      serve(cancelEmailChange, () => ({ data: {} }));
      const { person } = renderApp(`/app/email-change${mark}cancel=from-the-mail`);
      const button = await screen.findByRole('button', { name: 'Cancel this change' });
      await waitFor(() => expect(currentAddress()).toBe('/app/email-change'));
      expect(received(cancelEmailChange)).toHaveLength(0);
      await person.click(button);
      expect(await screen.findByText(/The change was canceled/)).toBeVisible();
      expect(received(cancelEmailChange)[0]?.body).toEqual({ token: 'from-the-mail' });
      expect(screen.getByRole('link', { name: 'Choose a new password' })).toHaveAttribute(
        'href',
        '/app/forgot-password',
      );
    },
  );

  it('shows when the link has expired', async () => {
    failWith(cancelEmailChange, new Refusal('INVALID_CODE', 'This link is no longer valid.'));
    const { person } = renderApp('/app/email-change#cancel=old');
    await person.click(await screen.findByRole('button', { name: 'Cancel this change' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('This link is no longer valid.');
  });
});

describe('putting a corrected address back', () => {
  it('takes one click, and removes the token from the address', async () => {
    serve(cancelEmailChange, () => ({ data: {} }));
    const { person } = renderApp('/app/email-change#corrected=from-the-mail');
    const button = await screen.findByRole('button', { name: 'Put my address back' });
    await waitFor(() => expect(currentAddress()).toBe('/app/email-change'));
    expect(received(cancelEmailChange)).toHaveLength(0);
    await person.click(button);
    expect(await screen.findByText(/Your account uses this address again/)).toBeVisible();
    expect(received(cancelEmailChange)[0]?.body).toEqual({ token: 'from-the-mail' });
  });
});

describe('undoing a change of address', () => {
  const serveRestore = (
    proof: { hasPassword: boolean; hasFactor: boolean; hasPasskey: boolean },
    takesEffectAt: string | null = null,
  ) =>
    serve(restoreEmail, ({ body }) => {
      if (body.newPassword !== undefined) return { data: { takesEffectAt } };
      throw new Refusal('PROOF_REQUIRED', 'Confirm it.', { data: { proof: { purpose: 'restore', ...proof } } });
    });

  it('asks for the previous password and a new one, and shows when it takes effect', async () => {
    serveRestore({ hasPassword: true, hasFactor: false, hasPasskey: false }, '2025-10-23T10:00:00.000Z');
    const { person } = renderApp('/app/email-change#undo=from-the-mail', ownUser());
    await person.click(await screen.findByRole('button', { name: 'Take my account back' }));
    await person.type(await screen.findByLabelText(/^Password before the change/), 'old words');
    await person.type(screen.getByLabelText(/^New password/), 'four quiet walnut trees');
    await person.click(screen.getByRole('button', { name: 'Undo the change' }));
    expect(await screen.findByText(/Your account goes back to this address on Oct 23, 2025/)).toBeVisible();
    expect(received(restoreEmail).map(({ body }) => body)).toEqual([
      { token: 'from-the-mail' },
      { token: 'from-the-mail', password: 'old words', newPassword: 'four quiet walnut trees' },
    ]);
    expect(localStorage).not.toHaveLength(0);
  });

  it('takes effect immediately with a code from the app, which signs this device out', async () => {
    serveRestore({ hasPassword: false, hasFactor: true, hasPasskey: false });
    const { person } = renderApp('/app/email-change#undo=from-the-mail', ownUser());
    await person.click(await screen.findByRole('button', { name: 'Take my account back' }));
    await person.type(await screen.findByLabelText(/^Code from your app/), '123456');
    expect(screen.queryByLabelText(/^Password before the change/)).toBeNull();
    await person.type(screen.getByLabelText(/^New password/), 'four quiet walnut trees{Enter}');
    expect(await screen.findByText(/Your account uses this address again/)).toBeVisible();
    expect(received(restoreEmail).at(-1)?.body).toMatchObject({ code: '123456' });
    expect(localStorage).toHaveLength(0);
  });

  it('shows when the link has expired or is missing', async () => {
    failWith(restoreEmail, new Refusal('INVALID_CODE', 'This link is no longer valid.'));
    const { person, unmount } = renderApp('/app/email-change#undo=old');
    await person.click(await screen.findByRole('button', { name: 'Take my account back' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('This link is no longer valid.');
    unmount();
    renderApp('/app/email-change');
    expect(await screen.findByRole('alert')).toHaveTextContent('Open this page with the link from our email.');
  });
});

describe('stopping the undoing of a change of address', () => {
  it('takes one click on the page that the emails link to', async () => {
    serve(stopRestore, () => ({ data: {} }));
    const { person } = renderApp('/app/email-change#stop=from-the-mail');
    await person.click(await screen.findByRole('button', { name: 'Stop this' }));
    expect(await screen.findByText(/The email address stays as it is/)).toBeVisible();
    expect(received(stopRestore).map(({ body }) => body)).toEqual([{ token: 'from-the-mail' }]);
  });
});

describe('the link in the email about lost two-step verification', () => {
  it('changes nothing until a click, disappears from the address bar, and shows when it takes effect', async () => {
    serve(confirmRemoval, () => ({ data: { removalAt: '2025-10-23T10:00:00.000Z' } }));
    const { person } = renderApp('/app/second-step#remove=mailed');
    const button = await screen.findByRole('button', { name: 'Turn it off in three days' });
    await waitFor(() => expect(currentAddress()).toBe('/app/second-step'));
    expect(received(confirmRemoval)).toHaveLength(0);
    await person.click(button);
    expect(await screen.findByText(/Two-step verification will be turned off on Oct 23, 2025/)).toBeVisible();
    expect(received(confirmRemoval)[0]?.body).toEqual({ token: 'mailed' });
  });

  it('shows that it has expired', async () => {
    failWith(confirmRemoval, new Refusal('INVALID_CODE', 'This link is not valid any more.'));
    const { person } = renderApp('/app/second-step#remove=old');
    await person.click(await screen.findByRole('button', { name: 'Turn it off in three days' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('This link is not valid any more.');
  });

  it('keeps two-step verification when it is from the second email, regardless of the session', async () => {
    serve(stopRemoval, () => ({ data: {} }));
    const { person } = renderApp('/app/second-step#keep=stop', ownUser());
    await person.click(await screen.findByRole('button', { name: 'Keep two-step verification' }));
    expect(await screen.findByText('Two-step verification stays on.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Choose a new password' })).toBeVisible();
    expect(received(stopRemoval)[0]?.body).toEqual({ token: 'stop' });
  });

  it('asks for the link when it is missing', async () => {
    renderApp('/app/second-step');
    expect(await screen.findByText('Open this page with the link from our email.')).toBeVisible();
  });
});

describe('an announced change of the account', () => {
  it.each([
    ['secondFactorRemovalAt', /It will be turned off on Oct 23, 2025/, 'Keep two-step verification', stopRemoval],
    ['addressRestoreAt', /On Oct 23, 2025 your account will go back to the previous address/, 'Stop this', stopRestore],
  ] as const)('is shown above every page and can be stopped there: %s', async (field, text, button, stop) => {
    keepSession({ token: 'token-1', refreshToken: 'refresh-1', user: ownUser() });
    let at: string | null = '2025-10-23T10:00:00.000Z';
    serve(stop, () => {
      at = null;
      return { data: {} };
    });
    serve(getProfile, () => ({
      userData: {
        user: ownUser(),
        privacySettings: { showLastActive: true },
        requiresVerification: false,
        requiresProfileCompletion: false,
        onboardingComplete: true,
        [field]: at,
      },
    }));
    const { person } = renderApp('/home');
    expect(await screen.findByText(text)).toBeVisible();
    await person.click(screen.getByRole('button', { name: button }));
    await waitFor(() => expect(screen.queryByText(text)).toBeNull());
    expect(received(stop)[0]?.body).toEqual({});
  });
});
