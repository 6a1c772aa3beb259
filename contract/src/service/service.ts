import * as z from 'zod/mini';
import { longBodyLimitBytes, pictureNameMaxLength } from '../constants.ts';
import { answer, endpoint } from '../endpoint.ts';
import { timeSchema } from '../text.ts';
import { brandPictureId, serviceSettingsSchema } from './settings.ts';

const versionNumber = z.int().check(z.minimum(0), z.maximum(2_147_483_646));

const serviceVersionSchema = z.object({
  version: z.int(),
  savedAt: timeSchema,
  /** The name of who saved it. */
  by: z.string(),
  /** The number of the restored earlier version; null for new settings. */
  broughtBack: z.nullable(z.int()),
  /** Whether the stored settings can't be read, so that an earlier version is in force. */
  isBroken: z.boolean(),
});
export type ServiceVersion = z.output<typeof serviceVersionSchema>;

const serviceSchema = z.object({
  /** The number of the newest version, which a change must name; 0 before the first. */
  version: z.int(),
  settings: serviceSettingsSchema,
  /** The newest fifty, newest first. */
  versions: z.array(serviceVersionSchema),
  /** The contact address and the seller from the configuration, used if the brand has none. */
  configured: z.object({ supportEmail: z.string(), legalEntity: z.nullable(z.string()) }),
});
export type Service = z.output<typeof serviceSchema>;

const stale = ['/admin/service', '/config', '/banner', '/figures'];

export const getService = endpoint({
  method: 'GET',
  path: '/admin/service',
  summary: 'Get what the owner has changed of the service, and its versions.',
  access: 'service.edit',
  response: answer({ data: serviceSchema }),
});

export const changeService = endpoint({
  method: 'PUT',
  path: '/admin/service',
  summary:
    'Change the service on all processes at once, as a new version. 409 if another one was saved meanwhile. Audited.',
  access: 'service.edit',
  writes: true,
  bodyLimit: longBodyLimitBytes,
  body: z.object({ version: versionNumber, settings: serviceSettingsSchema }),
  response: answer({ data: z.object({ version: z.int() }) }),
  errors: ['CONFLICT', 'INVALID_INPUT'],
  stale,
});

export const bringServiceBack = endpoint({
  method: 'POST',
  path: '/admin/service/back',
  summary: 'Make an earlier version the newest one. 409 if another one was saved meanwhile. Audited.',
  access: 'service.edit',
  writes: true,
  body: z.object({ version: versionNumber, back: versionNumber }),
  response: answer({ data: z.object({ version: z.int() }) }),
  errors: ['CONFLICT', 'NOT_FOUND', 'INVALID_INPUT'],
  stale,
});

export const uploadBrandPicture = endpoint({
  method: 'POST',
  path: '/admin/service/pictures/{kind}',
  summary:
    'Upload the logo or icon of the brand (SVG or PNG) in the field `file`. It is redrawn as PNG, and deleted after a day if no version of the service uses it.',
  access: 'service.edit',
  status: 201,
  writes: true,
  uploads: true,
  limit: 'upload',
  params: z.object({ kind: z.enum(['logo', 'icon']) }),
  body: z.object({ name: z.string().check(z.maxLength(pictureNameMaxLength)), sha256: z.string() }),
  response: answer({ data: z.object({ picture: brandPictureId }) }),
  errors: [
    'UNSUPPORTED_MEDIA_TYPE',
    'PICTURE_UNREADABLE',
    'PICTURE_REFUSED',
    'PICTURE_TOO_SMALL',
    'PAYLOAD_TOO_LARGE',
    'NOT_FOUND',
  ],
});

/** The URL of a picture of the brand. */
export const brandPicturePath = (picture: string): string => `/brand/${picture}.png`;
