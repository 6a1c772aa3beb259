import type { AnswerOf } from '#contract/endpoint.ts';
import { getSecondFactor } from '#contract/factors.ts';
import { listPasskeys, type PasskeyView } from '#contract/passkeys.ts';
import { serve } from './fake-server.ts';

type Factor = AnswerOf<typeof getSecondFactor>['data'];

export const noFactor: Factor = {
  since: null,
  recoveryCodesLeft: 0,
  removalAt: null,
  hasPassword: true,
  isRequired: false,
};
export const someFactor: Factor = { ...noFactor, since: '2025-09-01T10:00:00.000Z', recoveryCodesLeft: 9 };

export const phonePasskey: PasskeyView = {
  _id: 'passkey-1',
  name: 'My phone',
  createdAt: '2025-09-01T10:00:00.000Z',
  lastUsedAt: null,
  isSynced: true,
};

/** Answers what protects the account, as `of` has it at the moment. */
export function serveProtection(of: { factor: Factor; passkeys: PasskeyView[] }): void {
  serve(getSecondFactor, () => ({ data: of.factor }));
  serve(listPasskeys, () => ({ data: { passkeys: of.passkeys } }));
}

export const recoveryCodes = Array.from({ length: 10 }, (_, index) => `4F7K-9QXM-2AB${index}`);
export const setUp = {
  secret: 'SGUUB2IT5CORZA6CHTZ3EEPP7YHAUP2B',
  uri: 'otpauth://totp/Heartwood:ada%40heartwood.test?secret=SGUUB2IT5CORZA6CHTZ3EEPP7YHAUP2B',
  expiresAt: '2025-10-20T10:10:00.000Z',
};
