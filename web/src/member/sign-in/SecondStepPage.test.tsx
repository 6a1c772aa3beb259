import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { stopRestore } from '#contract/auth/auth.ts';
import { confirmRemoval, stopRemoval } from '#contract/auth/factors.ts';
import { getProfile } from '#contract/profiles/profiles.ts';
import { received, Refusal, serve } from '../../../test/fake-server.ts';
import { ownUser } from '../../../test/fixtures/people.ts';
import { currentAddress, renderApp } from '../../../test/render-app.tsx';
import { keepSession } from '../../api/session/stored-session.ts';

describe('the link in the email about lost two-step verification', () => {
  it('changes nothing until a press, disappears from the address bar, and shows when it takes effect', async () => {
    serve(confirmRemoval, () => ({ data: { removalAt: '2025-10-23T10:00:00.000Z' } }));
    const { person } = renderApp('/app/second-step?remove=mailed');
    const button = await screen.findByRole('button', { name: 'Turn it off in three days' });
    await waitFor(() => expect(currentAddress()).toBe('/app/second-step'));
    expect(received(confirmRemoval)).toHaveLength(0);
    await person.click(button);
    expect(await screen.findByText(/Two-step verification will be turned off on Oct 23, 2025/)).toBeVisible();
    expect(received(confirmRemoval)[0]?.body).toEqual({ token: 'mailed' });
  });

  it('shows that it has expired', async () => {
    serve(confirmRemoval, () => {
      throw new Refusal('INVALID_CODE', 'This link is not valid any more.');
    });
    const { person } = renderApp('/app/second-step?remove=old');
    await person.click(await screen.findByRole('button', { name: 'Turn it off in three days' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('This link is not valid any more.');
  });

  it('keeps two-step verification when it is from the second email, regardless of the session', async () => {
    serve(stopRemoval, () => ({ data: {} }));
    const { person } = renderApp('/app/second-step?keep=stop', ownUser());
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
    ['addressRestoreAt', /On Oct 23, 2025 your account goes back to it/, 'Stop this', stopRestore],
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
