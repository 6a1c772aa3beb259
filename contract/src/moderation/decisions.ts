import * as z from 'zod/mini';
import { reasonMaxLength, reportTextMaxLength } from '../constants.ts';
import { answer, endpoint } from '../endpoint.ts';
import { idSchema, trimmedText } from '../text.ts';
import { caseSchema } from './case.ts';
import {
  decisionOutcomes,
  decisionSchema,
  decisionSources,
  factsMaxLength,
  givenContentSchema,
  noticeSchema,
  ruleSchema,
  sanctionDaysMax,
  sanctionKinds,
  sanctionsMax,
  sanctionSchema,
} from './decision.ts';
import { placeholderProblem } from './templates.ts';

const ruleTitleMax = 120;
const ruleTextMax = 2000;
/** A text that someone reads, without placeholders of a template. */
const filledText = (most: number) =>
  trimmedText(1, most).check((payload) => {
    const message = placeholderProblem(payload.value);
    if (message !== null) payload.issues.push({ code: 'custom', input: payload.value, message });
  });
const oneOf = z.object({ id: idSchema });

export const decideCase = endpoint({
  method: 'POST',
  path: '/admin/cases/{id}/decisions',
  summary:
    'Decide a case with reasons: closes its open reports, answers their reporters, applies sanctions and notifies the person, all or nothing. Acting on someone needs a rule and facts of 40 characters that do not name a reporter. Audited.',
  access: 'cases.handle',
  writes: true,
  status: 201,
  creates: true,
  params: oneOf,
  body: z.object({
    outcome: z.enum(decisionOutcomes),
    ruleId: z.optional(idSchema),
    facts: z.optional(filledText(factsMaxLength)),
    source: z.optional(z.enum(decisionSources)),
    isDetectionAutomated: z.optional(z.boolean()),
    sanctions: z.optional(
      z
        .array(
          z.object({
            kind: z.enum(sanctionKinds),
            /** What `remove_content` removes: one thing of the evidence for each. */
            content: z.optional(givenContentSchema),
            /** Without it there is no end; a suspension needs one. */
            days: z.optional(z.int().check(z.minimum(1), z.maximum(sanctionDaysMax))),
          }),
        )
        .check(z.maxLength(sanctionsMax)),
    ),
    /** What reporters read; a standard text without it. */
    answer: z.optional(filledText(reportTextMaxLength)),
  }),
  response: answer({ data: z.object({ case: caseSchema, decision: decisionSchema }) }),
  errors: ['NOT_FOUND', 'CASE_CLAIMED', 'ILLEGAL_STEP', 'INVALID_INPUT', 'FORBIDDEN'],
});

export const revokeSanction = endpoint({
  method: 'POST',
  path: '/admin/sanctions/{id}/revoke',
  summary: 'Revoke a sanction, with a reason: its effect ends at once, and its strikes no longer count. Audited.',
  access: 'sanctions.revoke',
  writes: true,
  params: oneOf,
  body: z.object({ reason: trimmedText(1, reasonMaxLength) }),
  response: answer({ data: z.object({ sanction: sanctionSchema }) }),
  errors: ['NOT_FOUND', 'CONFLICT'],
});

export const listRules = endpoint({
  method: 'GET',
  path: '/admin/rules',
  summary: 'List the community rules, each in its current version.',
  access: 'cases.list',
  response: answer({ data: z.object({ rules: z.array(ruleSchema) }) }),
});

export const changeRule = endpoint({
  method: 'PUT',
  path: '/admin/rules/{id}',
  summary: 'Change a rule: it gets a new version, and earlier decisions keep theirs. Audited.',
  access: 'rules.edit',
  writes: true,
  params: oneOf,
  body: z.object({ title: trimmedText(1, ruleTitleMax), text: trimmedText(1, ruleTextMax) }),
  response: answer({ data: z.object({ rule: ruleSchema }) }),
  errors: ['NOT_FOUND', 'CONFLICT'],
});

export const listNotices = endpoint({
  method: 'GET',
  path: '/notices',
  summary: 'List decisions about me, newest first, with what they mean for me.',
  access: 'signedIn',
  response: answer({ data: z.object({ notices: z.array(noticeSchema) }) }),
});

export const acknowledgeWarning = endpoint({
  method: 'POST',
  path: '/notices/{id}/acknowledge',
  summary: 'Say that I have read a warning.',
  access: 'signedIn',
  writes: true,
  params: oneOf,
  response: answer({ data: z.object({ notices: z.array(noticeSchema) }) }),
  errors: ['NOT_FOUND'],
});
