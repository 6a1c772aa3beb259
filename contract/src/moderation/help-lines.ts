import { msg } from '@lingui/core/runtime-macro';
import * as z from 'zod/mini';
import { answer, endpoint } from '../endpoint.ts';
import { countryName } from '../profiles/countries.ts';
import { idSchema, trimmedText } from '../text.ts';
import { said } from '../said.ts';
import { parseUrl } from '../url.ts';

/** The code of lines that help in every country. */
export const everywhere = 'XX';

const countrySchema = z
  .string()
  .check(z.refine((code) => code === everywhere || countryName(code) !== undefined, said(msg`Choose a country`)));

const phoneSchema = z
  .string()
  .check(z.trim(), z.maxLength(30), z.regex(/^\+?\d[\d ()-]*$/, said(msg`Only a phone number`)));
const urlSchema = z.string().check(
  z.trim(),
  z.maxLength(200),
  z.refine(
    (url) => {
      const { protocol, username } = parseUrl(url) ?? {};
      return protocol === 'https:' && username === '';
    },
    said(msg`An address that begins with https://`),
  ),
);

const lineBody = z.object({
  country: countrySchema,
  name: trimmedText(1, 100),
  phone: z.nullable(phoneSchema),
  url: z.nullable(urlSchema),
  note: trimmedText(1, 200),
  /** Shown before the other lines of its country. */
  isEmergency: z.boolean(),
});

const helpLineSchema = z.object({
  _id: z.string(),
  country: z.string(),
  name: z.string(),
  phone: z.nullable(z.string()),
  url: z.nullable(z.string()),
  note: z.string(),
  isEmergency: z.boolean(),
});
export type HelpLine = z.output<typeof helpLineSchema>;

const oneLine = z.object({ id: idSchema });

export const listHelpLines = endpoint({
  method: 'GET',
  path: '/help-lines',
  summary: 'List the help lines of all countries, by country and name.',
  access: 'everyone',
  response: answer({ data: z.object({ lines: z.array(helpLineSchema) }) }),
});

export const addHelpLine = endpoint({
  method: 'POST',
  path: '/admin/help-lines',
  summary: 'Add a help line; it needs a phone number or an address. Audited.',
  access: 'service.edit',
  writes: true,
  creates: true,
  status: 201,
  body: lineBody,
  response: answer({ data: z.object({ line: helpLineSchema }) }),
  errors: ['INVALID_INPUT'],
  stale: ['/help-lines'],
});

export const changeHelpLine = endpoint({
  method: 'PUT',
  path: '/admin/help-lines/{id}',
  summary: 'Change a help line. Audited.',
  access: 'service.edit',
  writes: true,
  params: oneLine,
  body: lineBody,
  response: answer({}),
  errors: ['NOT_FOUND', 'INVALID_INPUT'],
  stale: ['/help-lines'],
});

export const removeHelpLine = endpoint({
  method: 'DELETE',
  path: '/admin/help-lines/{id}',
  summary: 'Remove a help line. Audited.',
  access: 'service.edit',
  writes: true,
  params: oneLine,
  response: answer({}),
  errors: ['NOT_FOUND'],
  stale: ['/help-lines'],
});
