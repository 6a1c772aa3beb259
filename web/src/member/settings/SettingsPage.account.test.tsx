import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { changeEmail, changePassword, leaveService, listSessions, verifyEmail } from '#contract/auth/auth.ts';
import { currentPasswordHeader, exportOwnData } from '#contract/takeout.ts';
import { CutOff, received, Refusal, serve } from '../../../test/fake-server.ts';
import { serveSettings } from '../../../test/fixtures/own-settings.ts';
import { ownUser } from '../../../test/fixtures/people.ts';
import { currentAddress, renderApp } from '../../../test/render-app.tsx';

const wrongPassword = new Refusal('WRONG_PASSWORD', 'This is not your password');
const part = (name: string) => within(screen.getByRole('region', { name }));

beforeEach(() => serveSettings());

async function open() {
  const app = renderApp('/app/settings', ownUser());
  await screen.findByText('Chrome on Linux');
  return app;
}

describe('changing the address', () => {
  const address = () => part('E-mail address').getByLabelText(/^New address/);
  const password = () => part('E-mail address').getByLabelText(/^Current password/);

  async function ask() {
    const app = await open();
    await app.person.type(address(), ' New@Heartwood.test');
    await app.person.type(password(), 'ring by ring');
    await app.person.click(screen.getByRole('button', { name: 'Send the code' }));
    return app;
  }

  it('takes the address and the password, then the code', async () => {
    serve(changeEmail, () => ({ data: { verificationToken: 'handle' } }));
    serve(verifyEmail, () => ({}));
    const { person } = await ask();
    expect(await screen.findByText(/^We have sent a code to new@heartwood\.test\./)).toBeVisible();
    expect(received(changeEmail)[0]?.body).toEqual({ email: 'new@heartwood.test', password: 'ring by ring' });
    await person.type(screen.getByLabelText(/^Six-digit code/), '12 34 56{Enter}');
    expect(await screen.findByText('Your address is changed. Your other devices are signed out.')).toBeVisible();
    expect(received(verifyEmail)[0]?.body).toEqual({ code: '123456' });
    expect(screen.getByText('You sign in with new@heartwood.test.')).toBeVisible();
    expect(localStorage.getItem('user')).toContain('new@heartwood.test');
    await waitFor(() => expect(received(listSessions).length).toBeGreaterThan(1));
  });

  it('waits for its code over a reload, and can be given up', async () => {
    serve(changeEmail, () => ({ data: { verificationToken: 'handle' } }));
    const { unmount } = await ask();
    await screen.findByLabelText(/^Six-digit code/);
    unmount();
    const { person } = await open();
    expect(screen.getByText(/^We have sent a code to new@heartwood\.test\./)).toBeVisible();
    await person.click(screen.getByRole('button', { name: 'Keep the old address' }));
    expect(address()).toHaveValue('');
    expect(screen.getByText('You sign in with ada@heartwood.test.')).toBeVisible();
  });

  it('tells a wrong password at its field', async () => {
    serve(changeEmail, () => {
      throw wrongPassword;
    });
    await ask();
    await waitFor(() => expect(password()).toHaveAccessibleDescription('This is not your password'));
    expect(password()).toHaveFocus();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('tells a wrong code at its field', async () => {
    serve(changeEmail, () => ({ data: { verificationToken: 'handle' } }));
    serve(verifyEmail, () => {
      throw new Refusal('INVALID_CODE', 'That is not the code');
    });
    const { person } = await ask();
    const code = await screen.findByLabelText(/^Six-digit code/);
    await person.type(code, '111111{Enter}');
    await waitFor(() => expect(code).toHaveAccessibleDescription(/^That is not the code/));
    expect(code).toHaveValue('111111');
  });

  it('refuses what is missing, no address, or the address one has', async () => {
    const { person } = await open();
    const send = () => person.click(screen.getByRole('button', { name: 'Send the code' }));
    await send();
    expect(address()).toHaveAccessibleDescription('This is required');
    await person.type(address(), 'nowhere');
    await person.type(password(), 'x');
    await send();
    expect(address()).toHaveAccessibleDescription('Use an address like name@example.org');
    await person.clear(address());
    await person.type(address(), 'ada@heartwood.test');
    await send();
    expect(address()).toHaveAccessibleDescription('This is your address already');
    expect(received(changeEmail)).toEqual([]);
  });
});

describe('changing the password', () => {
  it('asks ten characters of a member, and lists the devices anew', async () => {
    serve(changePassword, () => ({ data: {} }));
    const { person } = await open();
    const next = screen.getByLabelText(/^New password/);
    await person.type(part('Password').getByLabelText(/^Current password/), 'ring by ring');
    await person.type(next, 'nine char');
    await person.click(screen.getByRole('button', { name: 'Change password' }));
    expect(next).toHaveAccessibleDescription(/Use at least 10 characters/);
    await person.type(next, 's and more');
    await person.click(screen.getByRole('button', { name: 'Change password' }));
    expect(await screen.findByText('Your password is changed. Your other devices are signed out.')).toBeVisible();
    await waitFor(() => expect(received(listSessions).length).toBeGreaterThan(1));
  });
});

describe('taking one’s data along', () => {
  const download = async (password: string) => {
    const { person } = await open();
    if (password !== '') await person.type(part('Your data').getByLabelText(/^Current password/), password);
    await person.click(screen.getByRole('button', { name: 'Download my data' }));
    return person;
  };

  it('saves one archive, with the password percent-encoded in the head', async () => {
    const saved: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      saved.push(this.download);
    });
    serve(exportOwnData, () => 'zip');
    await download('größe & mehr');
    expect(await screen.findByText('Your data is saved as a file on this device.')).toBeVisible();
    expect(received(exportOwnData)[0]?.headers.get(currentPasswordHeader)).toBe(encodeURIComponent('größe & mehr'));
    expect(saved).toEqual(['heartwood.zip']);
    expect(part('Your data').getByLabelText(/^Current password/)).toHaveValue('');
  });

  it('tells a wrong password at its field', async () => {
    serve(exportOwnData, () => {
      throw wrongPassword;
    });
    await download('x');
    const field = part('Your data').getByLabelText(/^Current password/);
    await waitFor(() => expect(field).toHaveAccessibleDescription('This is not your password'));
    expect(field).toHaveFocus();
    expect(field).toHaveValue('x');
  });

  it('asks for the password before anything is sent', async () => {
    await download('');
    const field = part('Your data').getByLabelText(/^Current password/);
    expect(field).toHaveAccessibleDescription('This is required');
    expect(received(exportOwnData)).toEqual([]);
  });
});

describe('leaving', () => {
  const dialog = () => within(screen.getByRole('dialog', { name: 'Delete your account?' }));

  async function ask() {
    const app = await open();
    await app.person.click(screen.getByRole('button', { name: 'Delete my account...' }));
    await app.person.type(dialog().getByLabelText(/^Current password/), 'ring by ring');
    await app.person.click(dialog().getByRole('button', { name: 'Delete my account' }));
    return app;
  }

  it('ends at the door, which tells until when one can return', async () => {
    serve(leaveService, () => ({ data: { restoreUntil: '2025-11-03T10:00:00.000Z' } }));
    const { person } = await ask();
    expect(await screen.findByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible();
    expect(currentAddress()).toBe('/app/sign-in');
    expect(screen.getByRole('status')).toHaveTextContent(/Until Nov 3, 2025 you can return: just sign in\.$/);
    expect(received(leaveService)[0]?.body).toEqual({ password: 'ring by ring' });
    expect(localStorage).toHaveLength(0);
    expect(person).toBeDefined();
  });

  it('says what happens before it asks', async () => {
    const { person } = await open();
    await person.click(screen.getByRole('button', { name: 'Delete my account...' }));
    expect(dialog().getByText(/^For 14 days you can return/)).toBeVisible();
    await person.keyboard('{Escape}');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(received(leaveService)).toEqual([]);
  });

  it('tells a wrong password at its field, and nothing has happened', async () => {
    serve(leaveService, () => {
      throw wrongPassword;
    });
    await ask();
    const field = dialog().getByLabelText(/^Current password/);
    await waitFor(() => expect(field).toHaveAccessibleDescription('This is not your password'));
    expect(localStorage.getItem('token')).toBe('token-1');
  });

  it('says when no answer came', async () => {
    serve(leaveService, () => {
      throw new CutOff();
    });
    await ask();
    expect(await screen.findByRole('alert')).toHaveTextContent(/^Network error/);
  });
});
