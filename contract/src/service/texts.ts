import * as z from 'zod/mini';
import { answer, endpoint } from '../endpoint.ts';
import { longBodyLimitBytes } from '../constants.ts';
import { languageSchema } from '../languages.ts';
import { timeSchema, trimmedText } from '../text.ts';
import { type TextKind, textKindSchema, textVersionSchema } from './text-kinds.ts';

/** The texts that members agree to. */
export const agreedKinds: readonly TextKind[] = ['privacy', 'terms'];

/** The longest text in one language, in characters. */
export const textMaxLength = 60_000;

const bodiesSchema = z.partialRecord(languageSchema, trimmedText(1, textMaxLength));

/** Words in one style; `href` makes them a link to another site, a mail or number to call, or a page of the service. */
const runSchema = z.object({
  text: z.string(),
  isBold: z.optional(z.boolean()),
  isItalic: z.optional(z.boolean()),
  href: z.optional(z.string()),
});
export type TextRun = z.output<typeof runSchema>;

/** A part of a text: a heading of a section (2) or of a part of one (3), a paragraph, or a list with an item in each line. */
const blockSchema = z.object({
  kind: z.enum(['heading2', 'heading3', 'paragraph', 'bullets', 'numbers']),
  lines: z.array(z.array(runSchema)),
});
export type TextBlock = z.output<typeof blockSchema>;

const publishedSchema = z.object({ version: z.string(), publishedAt: timeSchema });

const publishedVersionSchema = z.object({
  ...publishedSchema.shape,
  /** The name of who published it. */
  by: z.string(),
  asksAgain: z.boolean(),
  /** Null if it is the product's own text. */
  language: z.nullable(languageSchema),
  /** Markdown by language; empty if it is the product's own text. */
  bodies: z.partialRecord(languageSchema, z.string()),
});
export type TextVersion = z.output<typeof publishedVersionSchema>;

export const listTextVersions = endpoint({
  method: 'GET',
  path: '/admin/service/texts/{kind}',
  summary:
    'List the newest fifty published versions of a text, newest first. Without any, the product’s own text is shown.',
  access: 'service.edit',
  params: z.object({ kind: textKindSchema }),
  response: answer({ data: z.object({ versions: z.array(publishedVersionSchema) }) }),
  errors: ['NOT_FOUND'],
});

export const publishText = endpoint({
  method: 'POST',
  path: '/admin/service/texts/{kind}',
  summary:
    'Publish a text in Markdown, or the product’s own again, on all processes at once. With `asksAgain`, members have to agree to the terms and the policy again. 409 if another version was published meanwhile. Audited.',
  access: 'service.edit',
  writes: true,
  bodyLimit: longBodyLimitBytes,
  params: z.object({ kind: textKindSchema }),
  body: z.object({
    /** The newest version that the caller knows, or null. */
    known: z.nullable(textVersionSchema),
    /** The language shown to readers whose language is missing, which has to be among the bodies; null for the product’s own text. */
    language: z.nullable(languageSchema),
    bodies: bodiesSchema,
    asksAgain: z.boolean(),
  }),
  response: answer({ data: publishedSchema }),
  errors: ['CONFLICT', 'INVALID_INPUT', 'NOT_FOUND'],
  stale: ['/admin/service/texts/{kind}', '/texts/{kind}', '/config'],
});

export const previewText = endpoint({
  method: 'POST',
  path: '/admin/service/texts/preview',
  summary: 'Show how a text in Markdown will look. 400 if it has headings or other parts that can’t be published.',
  access: 'service.edit',
  body: z.object({ body: trimmedText(1, textMaxLength) }),
  response: answer({ data: z.object({ blocks: z.array(blockSchema) }) }),
  errors: ['INVALID_INPUT'],
});

export const readText = endpoint({
  method: 'GET',
  path: '/texts/{kind}',
  summary: 'Read a text that the owner published, in a language; the newest version, or one that held before.',
  access: 'everyone',
  params: z.object({ kind: textKindSchema }),
  query: z.object({ language: languageSchema, version: z.optional(textVersionSchema) }),
  response: answer({
    data: z.object({
      ...publishedSchema.shape,
      /** The language of the blocks: the requested one, or the one shown to readers whose language is missing. */
      language: z.nullable(languageSchema),
      /** Null for the product’s own text. */
      blocks: z.nullable(z.array(blockSchema)),
      /** The newest fifty versions, newest first. */
      versions: z.array(publishedSchema),
    }),
  }),
  errors: ['NOT_FOUND'],
});
