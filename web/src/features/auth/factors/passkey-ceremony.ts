import { t } from '@lingui/core/macro';
import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from '@simplewebauthn/browser';
import type * as z from 'zod/mini';
import type { proofSchema } from '#contract/auth/factors.ts';
import type { Assertion } from '#contract/auth/webauthn.ts';
import {
  passkeyLoginOptions,
  passkeyRegister,
  passkeyRegisterOptions,
  type PasskeyView,
} from '#contract/auth/passkeys.ts';
import { ApiError } from '../../../api/api-error.ts';
import { call } from '../../../api/call.ts';
import { keepSession } from '../../../api/session/stored-session.ts';

type Proof = z.input<typeof proofSchema>;

/** Whether this browser can store passkeys for this address; no browser does for an IP address. */
export function canUsePasskeys(): boolean {
  return browserSupportsWebAuthn() && !/^[\d.]+$|^\[/.test(window.location.hostname);
}

/** Whether the browser can offer passkeys in the autofill list of the email field. */
export async function offersPasskeys(): Promise<boolean> {
  return canUsePasskeys() && (await browserSupportsWebAuthnAutofill());
}

/**
 * The response of a passkey to a new challenge. With `isOffered`, it waits until the passkey is chosen from the
 * autofill list.
 */
export async function askPasskey({ isOffered = false } = {}): Promise<Assertion> {
  const { data } = await call(passkeyLoginOptions);
  return await startAuthentication({ optionsJSON: data.options, useBrowserAutofill: isOffered });
}

/** Cancels the request for a passkey that is still waiting. */
export function stopAsking(): void {
  WebAuthnAbortService.cancelCeremony();
}

/** The text that explains why a passkey could not be used or created. */
export function passkeyText(error: unknown): string {
  const { name, code, message } = error as { name?: string; code?: string; message?: string };
  if (name === 'ApiError') return String(message);
  if (code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED' || name === 'InvalidStateError')
    return t`This device already has a passkey for your account.`;
  if (name === 'SecurityError' || code === 'ERROR_INVALID_DOMAIN' || code === 'ERROR_INVALID_RP_ID')
    return t`Passkeys don't work at this address.`;
  return t`No passkey was used. You can try again.`;
}

/** Turns an error from the browser or the server into an `ApiError`. */
function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError({ message: passkeyText(error), code: 'PASSKEY_REFUSED', status: null });
}

/** A passkey as proof of identity; throws an `ApiError` whose message can be shown. */
export async function passkeyProof(): Promise<Proof> {
  try {
    return { passkey: await askPasskey() };
  } catch (error) {
    throw asApiError(error);
  }
}

/** Creates and registers a passkey, given a proof of identity; throws an `ApiError` whose message can be shown. */
export async function addPasskey(proof: Proof): Promise<PasskeyView> {
  const { options } = (await call(passkeyRegisterOptions, { body: proof })).data;
  try {
    const credential = await startRegistration({ optionsJSON: options });
    const { passkey, ...tokens } = (await call(passkeyRegister, { body: { credential } })).data;
    keepSession(tokens);
    return passkey;
  } catch (error) {
    throw asApiError(error);
  }
}
