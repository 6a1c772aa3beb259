import { endpoint } from './endpoint.ts';

/** The header that carries the current password of who takes their data along, percent-encoded. */
export const currentPasswordHeader = 'x-current-password';

export const exportOwnData = endpoint({
  method: 'GET',
  path: '/auth/export',
  summary:
    'Everything of mine in one archive (JSON in a ZIP file): account, profile, preferences, answers, blocks, reports. Asks for the current password, percent-encoded, in the header X-Current-Password; of who has none, for a fresh sign-in.',
  access: 'signedIn',
  limit: 'sensitive',
  streams: 'application/zip',
  errors: ['WRONG_PASSWORD', 'PROOF_REQUIRED', 'FORBIDDEN', 'UNAVAILABLE'],
});
