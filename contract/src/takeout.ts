import { proofErrors } from './auth/factors.ts';
import { endpoint } from './endpoint.ts';

/** The header with the current password for a data export, percent-encoded. */
export const currentPasswordHeader = 'x-current-password';
/** The headers with the second factor: a code, or a passkey's answer as percent-encoded JSON. */
export const currentCodeHeader = 'x-current-code';
export const currentPasskeyHeader = 'x-current-passkey';

export const exportOwnData = endpoint({
  method: 'GET',
  path: '/auth/export',
  summary:
    'Export all my data as one archive (JSON in a ZIP file): account, profile, preferences, answers, blocks, reports. Needs the current password, percent-encoded, in the header X-Current-Password, or a fresh sign-in for accounts without one, and the second factor in X-Current-Code or X-Current-Passkey.',
  access: 'signedIn',
  limit: 'sensitive',
  streams: 'application/zip',
  errors: [...proofErrors, 'FORBIDDEN', 'TOO_MANY_REQUESTS'],
});
