import * as z from 'zod/mini';
import { proofErrors, proofSchema } from './auth/factors.ts';
import { answer, endpoint } from './endpoint.ts';
import { text, timeSchema } from './text.ts';

/** The header with the current password for a data export, percent-encoded. */
export const currentPasswordHeader = 'x-current-password';
/** The header with the second factor: a code, or a passkey's response as percent-encoded JSON. */
export const currentCodeHeader = 'x-current-code';
export const currentPasskeyHeader = 'x-current-passkey';

/** A job prepares the archive; after a failure it can be requested again. */
export const exportStates = ['preparing', 'ready', 'failed'] as const;

const exportSchema = z.object({
  state: z.enum(['none', ...exportStates]),
  askedAt: z.nullable(timeSchema),
  /** For an archive that is ready: its size, and until when it can be downloaded. */
  sizeBytes: z.nullable(z.int()),
  availableUntil: z.nullable(timeSchema),
  /** Until when this session can download it without another confirmation; null without a recent one. */
  provenUntil: z.nullable(timeSchema),
});
export type DataExport = z.output<typeof exportSchema>;

export const askForExport = endpoint({
  method: 'POST',
  path: '/auth/export',
  summary:
    'Have all my data prepared as one archive (JSON in a ZIP file), in the background: account, profile, pictures, preferences, answers, likes, messages, blocks, reports and payments. While one is being prepared, this returns it; one that is ready is replaced.',
  access: 'signedIn',
  writes: true,
  limit: 'sensitive',
  body: proofSchema,
  response: answer({ data: z.object({ export: exportSchema }) }),
  errors: [...proofErrors, 'FORBIDDEN', 'TOO_MANY_REQUESTS'],
});

export const getExport = endpoint({
  method: 'GET',
  path: '/auth/export/status',
  summary: 'Whether my archive is being prepared or ready to download.',
  access: 'signedIn',
  response: answer({ data: z.object({ export: exportSchema }) }),
  errors: ['FORBIDDEN'],
});

export const exportOwnData = endpoint({
  method: 'GET',
  path: '/auth/export',
  summary:
    'Download the archive of my data. Needs the current password, percent-encoded, in the header X-Current-Password, or a fresh sign-in for accounts without one, and the second factor in X-Current-Code or X-Current-Passkey; nothing for ten minutes after this session asked for it. Without an archive, prepares one first, and answers 409 if that takes more than five seconds.',
  access: 'signedIn',
  limit: 'sensitive',
  streams: 'application/zip',
  errors: [...proofErrors, 'FORBIDDEN', 'CONFLICT', 'TOO_MANY_REQUESTS'],
});

const token = text(1, 200);

export const askForExportByLink = endpoint({
  method: 'POST',
  path: '/appeals/link/export',
  summary:
    'Have all data of an account that can’t sign in prepared, with the token of a mail about its decision. The download link is mailed, and is not part of the answer.',
  access: 'everyone',
  writes: true,
  limit: 'mailRequest',
  body: z.object({ token }),
  response: answer({ data: z.object({}) }),
  errors: ['NOT_FOUND', 'CONFLICT', 'TOO_MANY_REQUESTS'],
});

export const exportByLink = endpoint({
  method: 'POST',
  path: '/appeals/link/export/download',
  summary:
    'Download an archive with the token of the newest mail that announced it, and with the second factor or passkey of accounts that have one. A link works once, and while the account can’t sign in; the download is mailed to its owner.',
  access: 'everyone',
  limit: 'codeTry',
  body: z.object({ token, code: proofSchema.shape.code, passkey: proofSchema.shape.passkey }),
  streams: 'application/zip',
  errors: ['NOT_FOUND', 'UNAVAILABLE', 'INVALID_CODE', 'PROOF_REQUIRED', 'PASSKEY_REFUSED', 'TOO_MANY_REQUESTS'],
});
