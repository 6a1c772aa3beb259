import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/runtime-macro';
import * as z from 'zod/mini';
import { reportTextMaxLength } from '../constants.ts';
import { answer, endpoint } from '../endpoint.ts';
import { languageSchema } from '../languages.ts';
import { idSchema, nameText, timeSchema, trimmedText } from '../text.ts';
import { said } from '../said.ts';

/** What a template is for: replies to reporters, first messages to members, the facts of a decision, and its answer to the reporters. */
export const templateKinds = ['reply', 'message', 'facts', 'answer'] as const;
export type TemplateKind = (typeof templateKinds)[number];

/** The placeholders of templates: the reader's name, facts of the report, and a rule chosen while writing. */
export const templateVariables = ['firstName', 'date', 'type', 'rule'] as const;
export type TemplateVariable = (typeof templateVariables)[number];

/**
 * The placeholders of each kind. Facts are read by the reported person, who must learn nothing about reports. A first message belongs to no
 * report, and its author may not be allowed to see case rules.
 */
export const variablesOf: Record<TemplateKind, readonly TemplateVariable[]> = {
  reply: templateVariables,
  message: ['firstName'],
  facts: ['firstName', 'rule'],
  answer: templateVariables,
};

const placeholder = /\{\w+\}/;

/** The first unfilled placeholder; null if there is none. */
export function openPlaceholder(text: string): string | null {
  return placeholder.exec(text)?.[0] ?? null;
}

/** The message for an unfilled placeholder, or null. */
export function placeholderProblem(text: string): MessageDescriptor | null {
  const gap = openPlaceholder(text);
  return gap === null ? null : msg`Fill in “${{ name: gap.slice(1, -1) }}” before you send this.`;
}

/** Text for people to read, which must not contain unfilled template placeholders. */
export const filledText = (most: number) =>
  trimmedText(1, most).check((payload) => {
    const problem = placeholderProblem(payload.value);
    if (problem !== null) payload.issues.push({ code: 'custom', input: payload.value, message: said(problem).error() });
  });

/** In each language. */
export const replyTemplatesMax = 50;
const templateNameMax = 60;

const braces = /\{(\w*)\}|[{}]/g;

/** What is wrong with the braces of a template, in words without braces; null if nothing is. */
export function templateProblem(text: string, kind: TemplateKind): MessageDescriptor | null {
  const known = variablesOf[kind];
  for (const [, name] of text.matchAll(braces)) {
    if (name === undefined || name === '') return msg`Use braces only around the name of a variable`;
    if (!known.some((one) => one === name))
      return msg`There is no variable “${{ name }}”. Use ${{ names: known.join(', ') }}.`;
  }
  return null;
}

/** One version of a template that staff can start from; plain text. */
const replyTemplateSchema = z.object({
  _id: z.string(),
  version: z.int(),
  kind: z.enum(templateKinds),
  language: languageSchema,
  name: z.string(),
  text: z.string(),
  createdAt: timeSchema,
  createdBy: z.string(),
});
export type ReplyTemplate = z.output<typeof replyTemplateSchema>;

const oneTemplate = z.object({ id: idSchema });
const fields = { name: nameText(1, templateNameMax), text: trimmedText(1, reportTextMaxLength) };
const newFields = { ...fields, kind: z.optional(z.enum(templateKinds)), language: z.optional(languageSchema) };
const newTemplate = z.object(newFields).check((payload) => {
  const { text, kind = 'reply' } = payload.value;
  const problem = templateProblem(text, kind);
  if (problem !== null)
    payload.issues.push({ code: 'custom', path: ['text'], input: text, message: said(problem).error() });
});
const theTemplate = answer({ data: z.object({ template: replyTemplateSchema }) });

export const listReplyTemplates = endpoint({
  method: 'GET',
  path: '/admin/reply-templates',
  summary: 'List the templates of replies, first messages, facts and answers by name, each in its current version.',
  access: 'reports.list',
  response: answer({ data: z.object({ templates: z.array(replyTemplateSchema) }) }),
});

export const addReplyTemplate = endpoint({
  method: 'POST',
  path: '/admin/reply-templates',
  summary:
    'Add a template of replies, of first messages, of facts or of answers. It may contain {firstName}, all but messages also {rule}, and replies and answers {date} and {type}. It is in English without a `language`. 409 for a name in use, and with 50 templates in this language. Audited.',
  access: 'rules.edit',
  writes: true,
  status: 201,
  creates: true,
  body: newTemplate,
  response: theTemplate,
  errors: ['CONFLICT', 'INVALID_INPUT'],
  stale: ['/admin/reply-templates'],
});

export const changeReplyTemplate = endpoint({
  method: 'PUT',
  path: '/admin/reply-templates/{id}',
  summary:
    'Change a template: it gets a new version in the same language, with a new id. 409 if a colleague has just changed it. Audited.',
  access: 'rules.edit',
  writes: true,
  params: oneTemplate,
  body: z.object(fields),
  response: theTemplate,
  errors: ['NOT_FOUND', 'CONFLICT', 'INVALID_INPUT'],
  stale: ['/admin/reply-templates'],
});

export const retireReplyTemplate = endpoint({
  method: 'DELETE',
  path: '/admin/reply-templates/{id}',
  summary: 'Retire a template; its versions are kept. 409 if a colleague has just changed it. Audited.',
  access: 'rules.edit',
  writes: true,
  params: oneTemplate,
  response: answer({}),
  errors: ['NOT_FOUND', 'CONFLICT'],
  stale: ['/admin/reply-templates'],
});
