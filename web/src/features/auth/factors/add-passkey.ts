import { passkeyRegister, passkeyRegisterOptions, type PasskeyView } from '#contract/auth/passkeys.ts';
import { ApiError } from '../../../api/api-error.ts';
import { call } from '../../../api/call.ts';
import { makePasskey, passkeyText, askPasskey } from './passkey-browser.ts';
import type { GivenProof } from '../account/ProofForm.tsx';

/** What the browser or the server refused about a passkey, as one kind of error. */
export function asApiError(error: unknown): ApiError {
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
