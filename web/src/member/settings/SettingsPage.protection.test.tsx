import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { disableTotp, enableTotp, renewRecoveryCodes, setUpTotp, stopRemoval } from '#contract/auth/factors.ts';
import {
  passkeyLoginOptions,
  passkeyRegister,
  passkeyRegisterOptions,
  type PasskeyView,
  removePasskey,
  renamePasskey,
} from '#contract/auth/passkeys.ts';
import { received, Refusal, serve } from '../../../test/fake-server.ts';
import { serveSettings } from '../../../test/fixtures/own-settings.ts';
import { giveDevice, sentNewPasskey, sentPasskey } from '../../../test/fixtures/passkey-device.ts';
import { ownUser } from '../../../test/fixtures/people.ts';
import {
  noFactor,
  phonePasskey,
  recoveryCodes,
  serveProtection,
  setUp,
  someFactor,
} from '../../../test/fixtures/protection.ts';
import { renderApp } from '../../../test/render-app.tsx';

let of: { factor: typeof noFactor; passkeys: PasskeyView[] };
beforeEach(() => {
  giveDevice();
  of = { factor: noFactor, passkeys: [] };
  serveSettings();
  serveProtection(of);
  serve(setUpTotp, () => ({ data: setUp }));
  serve(enableTotp, () => {
    of.factor = someFactor;
    return { data: { recoveryCodes } };
  });
  serve(passkeyLoginOptions, () => ({
    data: {
      options: {
        challenge: 'Y2hhbGxlbmdl',
        timeout: 300_000,
        rpId: 'localhost',
        userVerification: 'required' as const,
      },
    },
  }));
});

const part = (name: string) => within(screen.getByRole('region', { name }));

async function open(factor = noFactor, passkeys: PasskeyView[] = []) {
  of.factor = factor;
  of.passkeys = passkeys;
  const app = renderApp('/app/settings/security', ownUser());
  await screen.findByRole('button', { name: 'Add a passkey...' });
  return app;
}

describe('two-step verification', () => {
  it('can be set up in three steps', async () => {
    const { person } = await open();
    await person.click(
      await part('Two-step verification').findByRole('button', { name: 'Set up two-step verification' }),
    );
    const title = screen.getByRole('heading', { level: 1, name: 'Security' });
    expect(title).toHaveFocus();
    await person.click(part('Two-step verification').getByRole('button', { name: 'Continue' }));
    expect(part('Two-step verification').getByText('This is required')).toBeVisible();
    await person.type(part('Two-step verification').getByLabelText(/^Current password/), 'my password{Enter}');
    expect(await part('Two-step verification').findByRole('img', { name: /QR code/ })).toBeVisible();
    expect(title).toHaveFocus();
    expect(received(setUpTotp)[0]?.body).toEqual({ password: 'my password' });
    await person.type(part('Two-step verification').getByLabelText(/^Code from your app/), '123456{Enter}');
    expect(await screen.findByRole('list', { name: 'Recovery codes' })).toBeVisible();
    expect(title).toHaveFocus();
    await person.click(screen.getByRole('button', { name: "I've saved them" }));
    expect(await screen.findByText('9 recovery codes left')).toBeVisible();
  });

  it('can be turned off with password and code, or with only a passkey', async () => {
    serve(disableTotp, () => {
      of.factor = noFactor;
      return { data: {} };
    });
    const { person } = await open(someFactor, [phonePasskey]);
    await person.click(screen.getByRole('button', { name: 'Turn off...' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Turn off two-step verification?' }));
    await person.type(dialog.getByLabelText(/^Current password/), 'my password');
    await person.type(dialog.getByLabelText(/^Code from your app/), '123456');
    await person.click(dialog.getByRole('button', { name: 'Turn off' }));
    expect(await screen.findByRole('button', { name: 'Set up two-step verification' })).toBeVisible();
    expect(received(disableTotp)[0]?.body).toEqual({ password: 'my password', code: '123456' });
  });

  it('offers new recovery codes and warns before they run out', async () => {
    serve(renewRecoveryCodes, () => {
      of.factor = { ...someFactor, recoveryCodesLeft: 10 };
      return { data: { recoveryCodes } };
    });
    const { person } = await open({ ...someFactor, recoveryCodesLeft: 2 }, [phonePasskey]);
    expect(screen.getByText(/You're running low on recovery codes/)).toBeVisible();
    await person.click(screen.getByRole('button', { name: 'New recovery codes...' }));
    await person.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Use a passkey' }));
    expect(await screen.findByRole('list', { name: 'Recovery codes' })).toBeVisible();
    expect(received(renewRecoveryCodes)[0]?.body).toEqual({ passkey: sentPasskey });
    await person.click(screen.getByRole('button', { name: "I've saved them" }));
    expect(await screen.findByText('10 recovery codes left')).toBeVisible();
  });

  it('can be kept with one press while it is about to be turned off', async () => {
    serve(stopRemoval, () => {
      of.factor = someFactor;
      return { data: {} };
    });
    const { person } = await open({ ...someFactor, removalAt: '2025-10-23T10:00:00.000Z' });
    expect(screen.getByRole('alert')).toHaveTextContent('It will be turned off on Oct 23, 2025');
    await person.click(screen.getByRole('button', { name: 'Keep two-step verification' }));
    await waitFor(() => expect(screen.queryByText(/It will be turned off/)).toBeNull());
  });
});

describe('passkeys', () => {
  it('can be created after the password', async () => {
    serve(passkeyRegisterOptions, ({ body }) => {
      if (body.password !== 'my password') throw new Refusal('WRONG_PASSWORD', 'This is not your current password');
      return {
        data: {
          options: {
            rp: { id: 'localhost', name: 'Heartwood' },
            user: { id: 'aWQ', name: 'ada@heartwood.test', displayName: 'Ada' },
            challenge: 'Y2hhbGxlbmdl',
            pubKeyCredParams: [{ alg: -7, type: 'public-key' as const }],
            timeout: 300_000,
            attestation: 'none' as const,
            excludeCredentials: [],
            authenticatorSelection: {
              residentKey: 'required' as const,
              requireResidentKey: true as const,
              userVerification: 'required' as const,
            },
          },
        },
      };
    });
    serve(passkeyRegister, () => {
      of.passkeys = [phonePasskey];
      return { data: { passkey: phonePasskey } };
    });
    const { person } = await open();
    await person.click(screen.getByRole('button', { name: 'Add a passkey...' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Add a passkey' }));
    expect(dialog.queryByLabelText(/^Code from your app/)).toBeNull();
    await person.type(dialog.getByLabelText(/^Current password/), 'my password{Enter}');
    expect(await screen.findByText('My phone')).toBeVisible();
    expect(received(passkeyRegister)[0]?.body).toEqual({ credential: sentNewPasskey });
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('can be renamed and removed', async () => {
    serve(renamePasskey, ({ body }) => {
      of.passkeys = [{ ...phonePasskey, name: body.name }];
      return { data: { passkey: { ...phonePasskey, name: body.name } } };
    });
    serve(removePasskey, () => {
      of.passkeys = [];
      return { data: {} };
    });
    const { person } = await open(noFactor, [phonePasskey]);
    await person.click(screen.getByRole('button', { name: 'Rename My phone' }));
    const name = screen.getByLabelText(/^Name/);
    await person.clear(name);
    await person.type(name, 'The old one{Enter}');
    await person.click(await screen.findByRole('button', { name: 'Remove The old one' }));
    const dialog = within(await screen.findByRole('dialog'));
    // The password alone is not enough if the account has a passkey.
    expect(dialog.queryByLabelText(/password/i)).toBeNull();
    await person.click(dialog.getByRole('button', { name: 'Remove passkey' }));
    await waitFor(() => expect(screen.queryByText('The old one')).toBeNull());
    expect(received(removePasskey)[0]).toMatchObject({
      params: { id: 'passkey-1' },
      body: { passkey: sentPasskey },
    });
  });
});
