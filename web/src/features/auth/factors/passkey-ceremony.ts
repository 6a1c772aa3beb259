import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from '@simplewebauthn/browser';
import type { Assertion, Attestation, CreationOptions } from '#contract/auth/passkey.ts';
import {
  passkeyLoginOptions,
  passkeyRegister,
  passkeyRegisterOptions,
  type PasskeyView,
} from '#contract/auth/passkeys.ts';
import { call } from '../../../api/call.ts';
import { ApiError } from '../../../api/api-error.ts';
import type { GivenProof } from '../account/ProofForm.tsx';

/** Whether this browser keeps passkeys at this address: none does for a bare number. */
export function canUsePasskeys(): boolean {
  return browserSupportsWebAuthn() && !/^[\d.]+$|^\[/.test(window.location.hostname);
}

/** Whether it offers them while an address is typed. */
export async function offersPasskeys(): Promise<boolean> {
  return canUsePasskeys() && (await browserSupportsWebAuthnAutofill());
}

/** The answer of a passkey to a fresh challenge; with `isOffered` it is there to be chosen where the address is typed. */
export async function askPasskey({ isOffered = false } = {}): Promise<Assertion> {
  const { data } = await call(passkeyLoginOptions);
  return await startAuthentication({ optionsJSON: data.options, useBrowserAutofill: isOffered });
}

/** Has an authenticator make a passkey. */
async function makePasskey(options: CreationOptions): Promise<Attestation> {
  return await startRegistration({ optionsJSON: options });
}

/** Ends what the browser still asks for. */
export function stopAsking(): void {
  WebAuthnAbortService.cancelCeremony();
}

/** Why a passkey was not used or made, in words. */
export function passkeyText(error: unknown): string {
  const { name, code, message } = error as { name?: string; code?: string; message?: string };
  if (name === 'ApiError') return String(message);
  if (code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED' || name === 'InvalidStateError')
    return 'This device has a passkey of yours already.';
  if (name === 'SecurityError' || code === 'ERROR_INVALID_DOMAIN' || code === 'ERROR_INVALID_RP_ID')
    return 'Passkeys do not work at this address.';
  return 'No passkey was used. You can try again.';
}

/** What the browser or the server refused about a passkey, as one kind of error. */
function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError({ message: passkeyText(error), code: 'PASSKEY_REFUSED', status: null });
}

/** A passkey as proof; throws an `ApiError` with words for the person. */
export async function passkeyProof(): Promise<GivenProof> {
  try {
    return { passkey: await askPasskey() };
  } catch (error) {
    throw asApiError(error);
  }
}

/** Has a passkey made and kept, for who has shown who they are; throws an `ApiError` with words for the person. */
export async function addPasskey(proof: GivenProof): Promise<PasskeyView> {
  const { options } = (await call(passkeyRegisterOptions, { body: proof })).data;
  try {
    const credential = await makePasskey(options);
    return (await call(passkeyRegister, { body: { credential } })).data.passkey;
  } catch (error) {
    throw asApiError(error);
  }
}
