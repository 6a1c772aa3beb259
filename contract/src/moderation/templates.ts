import * as z from 'zod/mini';
import { reportTextMaxLength } from '../constants.ts';
import { answer, endpoint } from '../endpoint.ts';
import { idSchema, nameText, timeSchema, trimmedText } from '../text.ts';

/** What a template can leave open: facts of the report, and a rule that is chosen while writing. */
export const templateVariables = ['firstName', 'date', 'type', 'rule'] as const;
export type TemplateVariable = (typeof templateVariables)[number];

export const replyTemplatesMax = 50;
const templateNameMax = 60;

const isKnown = (name: string) => templateVariables.some((one) => one === name);
const braces = /\{(\w*)\}|[{}]/g;

/** What is wrong with the braces of a text, in words without braces; null for none. */
function problemOf(text: string): string | null {
  for (const [, name] of text.matchAll(braces)) {
    if (name === undefined || name === '') return 'Use braces only around the name of a variable';
    if (!isKnown(name)) return `There is no variable “${name}”. Use ${templateVariables.join(', ')}.`;
  }
  return null;
}

const templateText = trimmedText(1, reportTextMaxLength).check((payload) => {
  const message = problemOf(payload.value);
  if (message !== null) payload.issues.push({ code: 'custom', input: payload.value, message });
});

/** A reply that staff start from, in one version; plain text. */
const replyTemplateSchema = z.object({
  _id: z.string(),
  version: z.int(),
  name: z.string(),
  text: z.string(),
  createdAt: timeSchema,
  createdBy: z.string(),
});
export type ReplyTemplate = z.output<typeof replyTemplateSchema>;

const oneTemplate = z.object({ id: idSchema });
const body = z.object({ name: nameText(1, templateNameMax), text: templateText });
const theTemplate = answer({ data: z.object({ template: replyTemplateSchema }) });

export const listReplyTemplates = endpoint({
  method: 'GET',
  path: '/admin/reply-templates',
  summary: 'List the templates of replies by name, each in its current version.',
  access: 'reports.list',
  response: answer({ data: z.object({ templates: z.array(replyTemplateSchema) }) }),
});

export const addReplyTemplate = endpoint({
  method: 'POST',
  path: '/admin/reply-templates',
  summary:
    'Add a template of replies. It may contain {firstName}, {date}, {type} and {rule}. 409 for a name in use, and with 50 templates. Audited.',
  access: 'rules.edit',
  status: 201,
  creates: true,
  body,
  response: theTemplate,
  errors: ['CONFLICT'],
});

export const changeReplyTemplate = endpoint({
  method: 'PUT',
  path: '/admin/reply-templates/{id}',
  summary: 'Change a template: it gets a new version, with a new id. 409 if a colleague has just changed it. Audited.',
  access: 'rules.edit',
  params: oneTemplate,
  body,
  response: theTemplate,
  errors: ['NOT_FOUND', 'CONFLICT'],
});

export const retireReplyTemplate = endpoint({
  method: 'DELETE',
  path: '/admin/reply-templates/{id}',
  summary: 'Retire a template; its versions are kept. 409 if a colleague has just changed it. Audited.',
  access: 'rules.edit',
  params: oneTemplate,
  response: answer({}),
  errors: ['NOT_FOUND', 'CONFLICT'],
});
