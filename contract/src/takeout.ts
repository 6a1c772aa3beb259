import { endpoint } from './endpoint.ts';

/** The header with the current password for a data export, percent-encoded. */
export const currentPasswordHeader = 'x-current-password';

export const exportOwnData = endpoint({
  method: 'GET',
  path: '/auth/export',
  summary:
    'Export all my data as one archive (JSON in a ZIP file): account, profile, preferences, answers, blocks, reports. Needs the current password, percent-encoded, in the header X-Current-Password; of who has none, for a fresh sign-in.',
  access: 'signedIn',
  limit: 'sensitive',
  streams: 'application/zip',
  errors: ['WRONG_PASSWORD', 'PROOF_REQUIRED', 'FORBIDDEN', 'UNAVAILABLE'],
});
