import * as z from 'zod/mini';
import { reasonMaxLength } from '../constants.ts';
import { answer, endpoint } from '../endpoint.ts';
import { idSchema, timeSchema, trimmedText, uuidSet } from '../text.ts';
import { exportAloneMax, keptUserFilters } from './staff.ts';
import { exportColumnNames, exportColumnSchema } from './user-filters.ts';

/** How many days an approval can be given and used. */
export const approvalDays = 7;
/** How long someone waits if no second person could approve. */
export const approvalWaitsHours = 24;

/** How many undecided requests one person can have. */
export const approvalsOpenMax = 5;

export const approvalKinds = ['users.export', 'legalHold.release', 'users.bulk'] as const;
export const approvalVerdicts = ['approved', 'rejected'] as const;
export const approvalStates = ['waiting', 'usable', 'rejected', 'used', 'over'] as const;

const personSchema = z.object({ _id: z.nullable(z.string()), name: z.string() });

export const approvalSchema = z.object({
  _id: z.string(),
  kind: z.enum(approvalKinds),
  state: z.enum(approvalStates),
  requestedBy: personSchema,
  requestedAt: timeSchema,
  /** From then on, it can no longer be given or used. */
  endsAt: timeSchema,
  reason: z.string(),
  /** How many users matched when it was requested, counted up to 10,001. */
  rows: z.int(),
  columns: z.array(exportColumnSchema),
  /** The query of the list, as text. */
  filters: z.record(z.string(), z.string()),
  /** The users were chosen one by one; only the audit trail names them. */
  isChosen: z.optional(z.boolean()),
  /** The message that would be sent to many; it is forgotten after seven days. */
  text: z.optional(z.string()),
  /** The act that my approval started. */
  actId: z.optional(z.string()),
  /** The case of the person whose legal hold would be released. */
  caseId: z.optional(z.string()),
  /** When it starts to be usable; null until someone approves. */
  usableFrom: z.nullable(timeSchema),
  decision: z.nullable(
    z.object({ verdict: z.enum(approvalVerdicts), by: personSchema, reason: z.nullable(z.string()) }),
  ),
  can: z.object({ decide: z.boolean(), use: z.boolean() }),
});
export type Approval = z.output<typeof approvalSchema>;

const theApproval = answer({ data: z.object({ approval: approvalSchema }) });

export const requestApproval = endpoint({
  method: 'POST',
  path: '/admin/approvals',
  summary:
    'Ask a second administrator for what one may not do alone. They are emailed; if there is none, it can be used after 24 hours, which is emailed to me. 409 while five requests of mine are open, or an equal one. Audited.',
  access: 'users.export',
  writes: true,
  status: 201,
  creates: true,
  body: z.object({
    kind: z.literal('users.export'),
    columns: z.array(exportColumnSchema).check(z.minLength(1), z.maxLength(exportColumnNames.length)),
    filters: keptUserFilters,
    /** Only these users. */
    ids: z.optional(uuidSet(exportAloneMax)),
    reason: trimmedText(1, reasonMaxLength),
  }),
  response: theApproval,
  errors: ['FORBIDDEN', 'INVALID_INPUT', 'CONFLICT'],
});

export const listApprovals = endpoint({
  method: 'GET',
  path: '/admin/approvals',
  summary:
    'List the requests for approval of the last seven days, newest first, at most 100; without the permission to approve, only my own.',
  access: 'cases.lead',
  response: answer({ data: z.object({ approvals: z.array(approvalSchema) }) }),
});

export const decideApproval = endpoint({
  method: 'POST',
  path: '/admin/approvals/{id}/decision',
  summary:
    'Approve or reject what a colleague asked for. 403 for my own request; 409 once it was decided, used or over. Audited.',
  access: 'users.export',
  writes: true,
  params: z.object({ id: idSchema }),
  body: z.object({
    verdict: z.enum(approvalVerdicts),
    reason: z.optional(trimmedText(1, reasonMaxLength)),
  }),
  response: theApproval,
  errors: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT'],
  stale: ['/admin/approvals'],
});
