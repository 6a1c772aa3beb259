import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { changeEmail, changePassword, leaveService, listSessions, verifyEmail } from '#contract/auth/auth.ts';
import { askForExport, currentPasswordHeader, type DataExport, exportOwnData, getExport } from '#contract/takeout.ts';
import { failWith, received, Refusal, serve } from '../../../test/fake-server.ts';
import { noExport, serveExport, serveSettings } from '../../../test/fixtures/own-settings.ts';
import { ownUser } from '../../../test/fixtures/people.ts';
import { currentAddress, renderApp } from '../../../test/render-app.tsx';

const wrongPassword = new Refusal('WRONG_PASSWORD', 'This is not your password');
const part = (name: string) => within(screen.getByRole('region', { name }));

beforeEach(() => serveSettings());

async function open() {
  const app = renderApp('/app/settings/security', ownUser());
  await screen.findByText('Chrome on Linux');
  return app;
}

async function openAt(page: string, button: string) {
  const app = renderApp(`/app/settings/${page}`, ownUser());
  await screen.findByRole('button', { name: button });
  return app;
}

describe('changing the email address', () => {
  const address = () => part('Email address').getByLabelText(/^New address/);
  const password = () => part('Email address').getByLabelText(/^Current password/);

  async function openForm() {
    const app = await open();
    await app.person.click(screen.getByRole('button', { name: 'Change email address...' }));
    await part('Email address').findByLabelText(/^New address/);
    return app;
  }

  async function ask() {
    const app = await openForm();
    await app.person.type(address(), ' New@Heartwood.test');
    await app.person.type(password(), 'ring by ring');
    await app.person.click(screen.getByRole('button', { name: 'Send code' }));
    return app;
  }

  it('asks for the address and the password, then for the code', async () => {
    serve(changeEmail, () => ({ data: { verificationToken: 'handle' } }));
    serve(verifyEmail, () => ({}));
    const { person } = await ask();
    expect(await screen.findByText(/^We sent a code to new@heartwood\.test\./)).toBeVisible();
    expect(received(changeEmail)[0]?.body).toEqual({ email: 'new@heartwood.test', password: 'ring by ring' });
    await person.type(screen.getByLabelText(/^Six-digit code/), '١٢ ٣٤ 56{Enter}');
    expect(await screen.findByText('Email address changed. Your other devices were signed out.')).toBeVisible();
    expect(received(verifyEmail).map(({ body }) => body)).toEqual([{ code: '123456' }]);
    expect(screen.getByText('You sign in with new@heartwood.test.')).toBeVisible();
    expect(localStorage.getItem('user')).toContain('new@heartwood.test');
    await waitFor(() => expect(received(listSessions).length).toBeGreaterThan(1));
  });

  it('still waits for the code after a reload, and can be canceled', async () => {
    serve(changeEmail, () => ({ data: { verificationToken: 'handle' } }));
    const { unmount } = await ask();
    await screen.findByLabelText(/^Six-digit code/);
    unmount();
    const { person } = await open();
    expect(await screen.findByText(/^We sent a code to new@heartwood\.test\./)).toBeVisible();
    await person.click(screen.getByRole('button', { name: 'Keep the old address' }));
    await person.click(await screen.findByRole('button', { name: 'Change email address...' }));
    expect(await part('Email address').findByLabelText(/^New address/)).toHaveValue('');
    expect(screen.getByText('You sign in with ada@heartwood.test.')).toBeVisible();
  });

  it('shows a wrong password at its field', async () => {
    failWith(changeEmail, wrongPassword);
    await ask();
    await waitFor(() => expect(password()).toHaveAccessibleDescription('This is not your password'));
    expect(password()).toHaveFocus();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('shows a wrong code at its field', async () => {
    serve(changeEmail, () => ({ data: { verificationToken: 'handle' } }));
    failWith(verifyEmail, new Refusal('INVALID_CODE', 'That is not the code'));
    const { person } = await ask();
    const code = await screen.findByLabelText(/^Six-digit code/);
    await person.type(code, '111111{Enter}');
    await waitFor(() => expect(code).toHaveAccessibleDescription(/^That is not the code/));
    expect(code).toHaveValue('111111');
  });

  it('rejects a missing or invalid address, or the current one', async () => {
    const { person } = await openForm();
    const send = () => person.click(screen.getByRole('button', { name: 'Send code' }));
    await send();
    expect(address()).toHaveAccessibleDescription('This is required');
    await person.type(address(), 'nowhere');
    await person.type(password(), 'x');
    await send();
    expect(address()).toHaveAccessibleDescription('Use an address like name@example.org');
    await person.clear(address());
    await person.type(address(), 'ada@heartwood.test');
    await send();
    expect(address()).toHaveAccessibleDescription('This is already your address');
    expect(received(changeEmail)).toEqual([]);
  });
});

describe('changing the password', () => {
  it('requires ten characters from members and reloads the devices', async () => {
    serve(changePassword, () => ({ data: {} }));
    const { person } = await open();
    expect(screen.queryByLabelText(/^Current password/)).toBeNull();
    await person.click(screen.getByRole('button', { name: 'Change password...' }));
    const next = await screen.findByLabelText(/^New password/);
    await person.type(part('Password').getByLabelText(/^Current password/), 'ring by ring');
    await person.type(next, 'nine char');
    await person.click(screen.getByRole('button', { name: 'Change password' }));
    expect(next).toHaveAccessibleDescription(/Use at least 10 characters/);
    await person.type(next, 's and more');
    await person.click(screen.getByRole('button', { name: 'Change password' }));
    expect(await screen.findByText('Password changed. Your other devices were signed out.')).toBeVisible();
    await waitFor(() => expect(received(listSessions).length).toBeGreaterThan(1));
  });
});

describe('exporting the member’s data', () => {
  const field = () => part('Your data').getByLabelText(/^Current password/);
  const hour = 3_600_000;
  const inTime = (ms: number) => new Date(Date.now() + ms).toISOString();
  const ready = (provenUntil: string | null): DataExport => ({
    state: 'ready',
    askedAt: inTime(-60_000),
    sizeBytes: 3_420_000,
    availableUntil: inTime(7 * 24 * hour),
    provenUntil,
  });
  const preparing: DataExport = { ...noExport, state: 'preparing', askedAt: inTime(0), provenUntil: inTime(hour) };

  function watchSaves(): string[] {
    const saved: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      saved.push(this.download);
    });
    serve(exportOwnData, () => 'zip');
    return saved;
  }

  it('prepares the archive, shows when it is ready, and downloads it with one press', async () => {
    const saved = watchSaves();
    let state = noExport;
    serve(getExport, () => ({ data: { export: state } }));
    serve(askForExport, () => ({ data: { export: (state = preparing) } }));
    const { person } = await openAt('data', 'Prepare my data');
    await person.type(field(), 'ring by ring{Enter}');
    expect(await screen.findByText("We're preparing your archive")).toBeVisible();
    expect(part('Your data').getByRole('status')).toHaveTextContent(/You can leave this page/);
    expect(received(askForExport)[0]?.body).toEqual({ password: 'ring by ring' });

    state = ready(inTime(hour));
    const button = await screen.findByRole('button', { name: 'Download my data' });
    expect(part('Your data').getByText(/^3\.4 MB, prepared on/)).toBeVisible();
    expect(part('Your data').queryByLabelText(/^Current password/)).toBeNull();
    expect(screen.queryByRole('button', { name: 'Prepare a new archive' })).toBeNull();
    await person.click(button);
    expect(await screen.findByText('Your data has been saved to this device.')).toBeVisible();
    expect(saved).toEqual(['heartwood-data.zip']);
    expect(received(exportOwnData)[0]?.headers.get(currentPasswordHeader)).toBeNull();
  });

  it('asks for the password again later and sends it percent-encoded in the header', async () => {
    watchSaves();
    serveExport(ready(null));
    const { person } = await openAt('data', 'Download my data');
    await person.type(field(), 'größe & mehr{Enter}');
    expect(await screen.findByText('Your data has been saved to this device.')).toBeVisible();
    expect(received(exportOwnData)[0]?.headers.get(currentPasswordHeader)).toBe(encodeURIComponent('größe & mehr'));
    expect(field()).toHaveValue('');
  });

  it('replaces an archive that is older than an hour', async () => {
    serveExport({ ...ready(null), askedAt: inTime(-2 * hour) });
    serve(askForExport, () => ({ data: { export: preparing } }));
    const { person } = await openAt('data', 'Prepare a new archive');
    await person.click(screen.getByRole('button', { name: 'Prepare a new archive' }));
    await person.type(await part('Your data').findByLabelText(/^Current password/), 'ring by ring{Enter}');
    expect(await screen.findByText("We're preparing your archive")).toBeVisible();
  });

  it('shows a failure, and a wrong password at its field', async () => {
    serveExport({ ...noExport, state: 'failed', askedAt: inTime(-hour) });
    failWith(askForExport, wrongPassword);
    const { person } = await openAt('data', 'Prepare my data');
    expect(screen.getByRole('alert')).toHaveTextContent("Couldn't prepare your archive. Please try again.");
    await person.type(field(), 'x{Enter}');
    await waitFor(() => expect(field()).toHaveAccessibleDescription('This is not your password'));
    expect(field()).toHaveFocus();
    expect(field()).toHaveValue('x');
  });
});

describe('deleting the account', () => {
  const dialog = () => within(screen.getByRole('dialog', { name: 'Delete your account?' }));

  async function ask() {
    const app = await openAt('account', 'Delete my account...');
    await app.person.click(screen.getByRole('button', { name: 'Delete my account...' }));
    await app.person.type(await dialog().findByLabelText(/^Current password/), 'ring by ring');
    await app.person.click(dialog().getByRole('button', { name: 'Delete my account' }));
    return app;
  }

  it('opens the sign-in page, which shows until when it can be restored', async () => {
    serve(leaveService, () => ({ data: { restoreUntil: '2025-11-03T10:00:00.000Z' } }));
    const { person } = await ask();
    expect(await screen.findByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible();
    expect(currentAddress()).toBe('/app/sign-in');
    expect(screen.getByRole('status')).toHaveTextContent(/Until Nov 3, 2025 you can restore it: just sign in\.$/);
    expect(received(leaveService)[0]?.body).toEqual({ password: 'ring by ring' });
    expect(localStorage).toHaveLength(0);
    expect(person).toBeDefined();
  });

  it('explains the consequences before the confirmation', async () => {
    const { person } = await openAt('account', 'Delete my account...');
    await person.click(screen.getByRole('button', { name: 'Delete my account...' }));
    expect(
      (await dialog().findAllByRole('listitem')).map(({ textContent }) => textContent.split(' ', 2).join(' ')),
    ).toEqual(['Other members', 'Premium will', 'For 14', 'After that,']);
    await person.keyboard('{Escape}');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(received(leaveService)).toEqual([]);
  });

  it('lists the safe choice first', async () => {
    const { person } = await openAt('account', 'Delete my account...');
    await person.click(screen.getByRole('button', { name: 'Delete my account...' }));
    const cancel = await dialog().findByRole('button', { name: 'Cancel' });
    const names = dialog()
      .getAllByRole('button')
      .map((button) => button.getAttribute('aria-label') ?? button.textContent);
    expect(names.slice(-2)).toEqual(['Cancel', 'Delete my account']);
    await person.click(cancel);
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});
