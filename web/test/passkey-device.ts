import { vi } from 'vitest';

const bytes = (text: string) => new TextEncoder().encode(text).buffer;

/** What a browser hands on of a passkey that signs in, and of one that was just made. */
function shownCredential() {
  return {
    id: 'aWQ',
    rawId: bytes('id'),
    type: 'public-key',
    response: { clientDataJSON: bytes('{}'), authenticatorData: bytes('data'), signature: bytes('signed') },
    getClientExtensionResults: () => ({}),
  };
}
function madeCredential() {
  const { response, ...rest } = shownCredential();
  const { clientDataJSON } = response;
  return { ...rest, response: { clientDataJSON, attestationObject: bytes('made'), getTransports: () => [] } };
}

/** The same as they are sent. */
export const sentPasskey = {
  id: 'aWQ',
  rawId: 'aWQ',
  type: 'public-key',
  response: { clientDataJSON: 'e30', authenticatorData: 'ZGF0YQ', signature: 'c2lnbmVk' },
};
export const sentNewPasskey = {
  id: 'aWQ',
  rawId: 'aWQ',
  type: 'public-key',
  response: { clientDataJSON: 'e30', attestationObject: 'bWFkZQ', transports: [] },
};

interface Device {
  /** Offers passkeys while an address is typed, and its holder takes one there. */
  offersThem?: boolean;
  /** What the browser says instead of handing one on. */
  refuses?: string;
}

/** A browser that keeps passkeys, whose holder always says yes unless it `refuses`; answers how to be without it again. */
export function giveDevice({ offersThem = false, refuses }: Device = {}): () => void {
  class Passkeys {
    static isConditionalMediationAvailable = () => Promise.resolve(offersThem);
  }
  vi.stubGlobal('PublicKeyCredential', Passkeys);
  const answer = (credential: object) =>
    refuses === undefined
      ? Promise.resolve(credential)
      : Promise.reject(Object.assign(new Error('of the browser'), { name: refuses }));
  const credentials = {
    get: ({ mediation }: { mediation?: string }) =>
      offersThem === (mediation === 'conditional') ? answer(shownCredential()) : new Promise(() => undefined),
    create: () => answer(madeCredential()),
  };
  Object.defineProperty(navigator, 'credentials', { configurable: true, value: credentials });
  return () => {
    Reflect.deleteProperty(navigator, 'credentials');
  };
}
