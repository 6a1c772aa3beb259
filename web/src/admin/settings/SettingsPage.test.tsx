import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { changePassword, endOtherSessions, endSession, listSessions, type SessionView } from '#contract/auth/auth.ts';
import { logout } from '#contract/auth/session.ts';
import { failWith, RawAnswer, received, Refusal, serve } from '../../../test/fake-server.ts';
import { serveNoFactors } from '../../../test/fixtures/own-settings.ts';
import { administrator } from '../../../test/fixtures/people.ts';
import { currentAddress, renderApp } from '../../../test/render-app.tsx';
import { staffHome } from '../../features/auth/session/guards.tsx';

const here: SessionView = {
  _id: 'here',
  createdAt: '2025-10-20T08:00:00.000Z',
  lastUsedAt: new Date().toISOString(),
  device: 'Chrome on Linux',
  network: '10.0.0.0/24',
  current: true,
};
const phone: SessionView = { ...here, _id: 'phone', device: 'Safari on iPhone', network: null, current: false };

let sessions: SessionView[] = [];

beforeEach(() => {
  sessions = [here, phone];
  serve(listSessions, () => ({ data: { sessions } }));
  serve(endSession, ({ params }) => {
    sessions = sessions.filter(({ _id }) => _id !== params.id);
    return { data: {} };
  });
  serve(changePassword, () => ({ data: {} }));
  serveNoFactors();
});

async function openSettings() {
  const app = renderApp('/settings', administrator());
  await screen.findByText('Chrome on Linux');
  const current = await screen.findByLabelText(/^Current password/);
  const next = screen.getByLabelText(/^New password/);
  const send = () => app.person.click(screen.getByRole('button', { name: 'Change password' }));
  return { ...app, current, next, send };
}

describe('the viewer’s password', () => {
  it('can be changed with the current one, which clears the fields', async () => {
    const { person, current, next, send } = await openSettings();
    await person.type(current, 'the old password');
    await person.type(next, 'a quite new password');
    await send();
    expect(await screen.findByText('Password changed. Your other devices were signed out.')).toHaveAttribute(
      'role',
      'status',
    );
    expect(received(changePassword)[0]?.body).toEqual({
      currentPassword: 'the old password',
      password: 'a quite new password',
    });
    expect(screen.getByLabelText(/^New password/)).toHaveValue('');
    await waitFor(() => expect(received(listSessions).length).toBeGreaterThan(1));
  });

  it('requires fifteen characters from staff', async () => {
    const { person, current, next, send } = await openSettings();
    await person.type(current, 'x');
    await person.type(next, 'fourteen chars');
    await send();
    expect(next).toHaveAccessibleDescription(/Use at least 15 characters/);
    expect(next).toHaveFocus();
    expect(received(changePassword)).toEqual([]);
  });

  it.each([
    ['WRONG_PASSWORD', /^Current password/],
    ['PASSWORD_REFUSED', /^New password/],
  ] as const)('shows a refusal (%s) at its field', async (code, label) => {
    failWith(changePassword, new Refusal(code, 'Not this one'));
    const { person, current, next, send } = await openSettings();
    await person.type(current, 'x');
    await person.type(next, 'a quite new password');
    await send();
    await waitFor(() => expect(screen.getByLabelText(label)).toHaveAccessibleDescription(/Not this one/));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('shows any other failure as an alert', async () => {
    failWith(changePassword, new RawAnswer(500, ''));
    const { person, current, next, send } = await openSettings();
    await person.type(current, 'x');
    await person.type(next, 'a quite new password');
    await send();
    expect(await screen.findByRole('alert')).toHaveTextContent('Server error: Please try again later.');
  });
});

describe('the signed-in devices', () => {
  const device = (name: string) => screen.queryByText(name)?.closest('li') ?? null;

  it('can all be signed out except this one', async () => {
    serve(endOtherSessions, () => {
      sessions = [here];
      return { data: { ended: 1 } };
    });
    const { person } = await openSettings();
    await person.click(screen.getByRole('button', { name: 'Sign out everywhere else' }));
    await waitFor(() => expect(screen.queryByText('Safari on iPhone')).toBeNull());
    expect(screen.getByText('Chrome on Linux')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Sign out everywhere else' })).toBeNull();
  });

  it('are listed, with this one marked', async () => {
    await openSettings();
    expect(device('Chrome on Linux')).toHaveTextContent('This device');
    expect(device('Chrome on Linux')).toHaveTextContent('Network 10.0.0.0/24');
    expect(device('Safari on iPhone')).not.toHaveTextContent('This device');
  });

  it('can be signed out and disappear from the list at once', async () => {
    const { person } = await openSettings();
    await person.click(screen.getByRole('button', { name: 'Sign out Safari on iPhone' }));
    await waitFor(() => expect(device('Safari on iPhone')).toBeNull());
    await waitFor(() => expect(received(endSession)[0]?.params).toEqual({ id: 'phone' }));
  });

  it('reappear when signing out fails', async () => {
    failWith(endSession, new Refusal('NOT_FOUND', 'There is no such session'));
    const { person } = await openSettings();
    await person.click(screen.getByRole('button', { name: 'Sign out Safari on iPhone' }));
    expect(await screen.findByRole('alert')).toHaveTextContent(
      "Couldn't sign out the device: There is no such session",
    );
    expect(device('Safari on iPhone')).not.toBeNull();
  });

  it('include this one, whose sign-out opens the sign-in page', async () => {
    serve(logout, () => ({ data: {} }));
    const { person } = await openSettings();
    await person.click(screen.getByRole('button', { name: 'Sign out this device' }));
    await waitFor(() => expect(currentAddress()).toBe('/login'));
    expect(localStorage.getItem('token')).toBeNull();
  });

  it('include this one, whose sign-out leads on to the house that signed in', async () => {
    const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => undefined);
    const leaveAt = 'https://id.acme.test/end?client_id=dating';
    serve(logout, () => ({ data: { leaveAt } }));
    const { person } = await openSettings();
    await person.click(screen.getByRole('button', { name: 'Sign out this device' }));
    await waitFor(() => expect(assign).toHaveBeenCalledWith(leaveAt));
    expect(localStorage.getItem('token')).toBeNull();
  });

  it('show an error when they cannot be loaded', async () => {
    failWith(listSessions, new Refusal('FORBIDDEN', 'Not now'));
    renderApp('/settings', administrator());
    expect(await screen.findByRole('alert')).toHaveTextContent("Couldn't load your devices: Not now");
    expect(await screen.findByLabelText(/^Current password/)).toBeVisible();
  });
});

describe('the appearance', () => {
  it('is stored on the device', async () => {
    const { person } = await openSettings();
    const choices = within(screen.getByRole('group', { name: 'Color scheme' }));
    expect(choices.getByRole('radio', { name: 'System' })).toBeChecked();
    await person.click(choices.getByRole('radio', { name: 'Dark' }));
    expect(document.documentElement).toHaveAttribute('data-mantine-color-scheme', 'dark');
    expect(localStorage.getItem('color-scheme')).toBe('dark');
  });
});

describe('the first page', () => {
  it('is Start on devices where it was chosen', async () => {
    const { person } = await openSettings();
    const choice = () => screen.getByRole('checkbox', { name: /^Open with Start/ });
    expect(choice()).not.toBeChecked();
    await person.click(choice());
    expect(choice()).toBeChecked();
    expect(staffHome()).toBe('/start');
    await person.click(choice());
    expect(choice()).not.toBeChecked();
    expect(staffHome()).toBe('/dashboard');
  });
});
