import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { confirmRemoval, stopRemoval } from '#contract/auth/factors.ts';
import { getProfile } from '#contract/profiles/profiles.ts';
import { received, Refusal, serve } from '../../../test/fake-server.ts';
import { ownUser } from '../../../test/fixtures/people.ts';
import { currentAddress, renderApp } from '../../../test/render-app.tsx';
import { keepSession } from '../../api/session/stored-session.ts';

describe('the link of a lost second step', () => {
  it('does nothing by itself, leaves the address bar, and says when the step goes', async () => {
    serve(confirmRemoval, () => ({ data: { removalAt: '2025-10-23T10:00:00.000Z' } }));
    const { person } = renderApp('/app/second-step?remove=mailed');
    const button = await screen.findByRole('button', { name: 'Remove it in three days' });
    await waitFor(() => expect(currentAddress()).toBe('/app/second-step'));
    expect(received(confirmRemoval)).toHaveLength(0);
    await person.click(button);
    expect(await screen.findByText(/Your second step goes on Oct 23, 2025/)).toBeVisible();
    expect(received(confirmRemoval)[0]?.body).toEqual({ token: 'mailed' });
  });

  it('says so when it is not good any more', async () => {
    serve(confirmRemoval, () => {
      throw new Refusal('INVALID_CODE', 'This link is not valid any more.');
    });
    const { person } = renderApp('/app/second-step?remove=old');
    await person.click(await screen.findByRole('button', { name: 'Remove it in three days' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('This link is not valid any more.');
  });

  it('of the second mail keeps the step, whoever is signed in', async () => {
    serve(stopRemoval, () => ({ data: {} }));
    const { person } = renderApp('/app/second-step?keep=stop', ownUser());
    await person.click(await screen.findByRole('button', { name: 'Keep my second step' }));
    expect(await screen.findByText('Your second step stays.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Choose a new password' })).toBeVisible();
    expect(received(stopRemoval)[0]?.body).toEqual({ token: 'stop' });
  });

  it('is missed in words', async () => {
    renderApp('/app/second-step');
    expect(await screen.findByText('This page needs the link from our mail.')).toBeVisible();
  });
});

describe('a second step that is about to go', () => {
  it('is told above every page, and kept from there', async () => {
    keepSession({ token: 'token-1', refreshToken: 'refresh-1', user: ownUser() });
    serve(stopRemoval, () => ({ data: {} }));
    serve(getProfile, () => ({
      userData: {
        user: ownUser(),
        privacySettings: { showLastActive: true },
        requiresVerification: false,
        requiresProfileCompletion: false,
        onboardingComplete: true,
        secondFactorRemovalAt: '2025-10-23T10:00:00.000Z',
      },
    }));
    const { person } = renderApp('/home');
    expect(await screen.findByText(/It goes on Oct 23, 2025/)).toBeVisible();
    await person.click(screen.getByRole('button', { name: 'Keep my second step' }));
    await waitFor(() => expect(screen.queryByText(/It goes on/)).toBeNull());
    expect(received(stopRemoval)[0]?.body).toEqual({});
  });
});
