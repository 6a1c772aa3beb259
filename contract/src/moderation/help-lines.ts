import * as z from 'zod/mini';
import { answer, endpoint } from '../endpoint.ts';
import { countryName } from '../profiles/countries.ts';
import { idSchema, timeSchema, trimmedText } from '../text.ts';

/** The code of lines that help in every country. */
export const everywhere = 'XX';
/** How many lines there can be. */
export const helpLinesMax = 400;

const countrySchema = z
  .string()
  .check(z.refine((code) => code === everywhere || countryName(code) !== undefined, 'Choose a country'));

const phoneSchema = z.string().check(z.trim(), z.maxLength(30), z.regex(/^\+?\d[\d ()-]*$/, 'Only a phone number'));
const urlSchema = z.string().check(
  z.trim(),
  z.maxLength(200),
  z.refine((url) => {
    const { protocol, username } = URL.parse(url) ?? {};
    return protocol === 'https:' && username === '';
  }, 'An address that begins with https://'),
);

const lineFields = {
  country: countrySchema,
  name: trimmedText(1, 100),
  phone: z.nullable(phoneSchema),
  url: z.nullable(urlSchema),
  note: trimmedText(1, 200),
};

/** A line as everyone sees it. */
export const helpLineSchema = z.object({
  country: z.string(),
  name: z.string(),
  phone: z.nullable(z.string()),
  url: z.nullable(z.string()),
  note: z.string(),
});
export type HelpLine = z.output<typeof helpLineSchema>;

const editedLineSchema = z.extend(helpLineSchema, {
  _id: z.string(),
  version: z.int(),
  changedAt: timeSchema,
  changedBy: z.string(),
});
export type EditedHelpLine = z.output<typeof editedLineSchema>;

const oneLine = z.object({ id: idSchema });
const theLine = answer({ data: z.object({ line: editedLineSchema }) });

export const listHelpLines = endpoint({
  method: 'GET',
  path: '/help-lines',
  summary: 'List the help lines of all countries, by country and name.',
  access: 'everyone',
  response: answer({ data: z.object({ lines: z.array(helpLineSchema) }) }),
});

export const listEditedHelpLines = endpoint({
  method: 'GET',
  path: '/admin/help-lines',
  summary: 'List the help lines with who changed them last.',
  access: 'rules.edit',
  response: answer({ data: z.object({ lines: z.array(editedLineSchema) }) }),
});

export const addHelpLine = endpoint({
  method: 'POST',
  path: '/admin/help-lines',
  summary: 'Add a help line; it needs a phone number or an address. 409 once there are 400. Audited.',
  access: 'rules.edit',
  writes: true,
  creates: true,
  status: 201,
  body: z.object(lineFields),
  response: theLine,
  errors: ['INVALID_INPUT', 'CONFLICT'],
});

export const changeHelpLine = endpoint({
  method: 'PUT',
  path: '/admin/help-lines/{id}',
  summary: 'Change a help line. 409 if a colleague has changed it since. Audited.',
  access: 'rules.edit',
  writes: true,
  params: oneLine,
  body: z.object({ ...lineFields, version: z.int().check(z.minimum(1), z.maximum(2_147_483_647)) }),
  response: theLine,
  errors: ['NOT_FOUND', 'INVALID_INPUT', 'CONFLICT'],
});

export const removeHelpLine = endpoint({
  method: 'DELETE',
  path: '/admin/help-lines/{id}',
  summary: 'Remove a help line. Audited.',
  access: 'rules.edit',
  writes: true,
  params: oneLine,
  response: answer({}),
  errors: ['NOT_FOUND'],
});
