import type { AuditAction } from '#contract/moderation/audit.ts';
import type { caseEventKinds } from '#contract/moderation/cases.ts';
import { actorOf, audit, type AuditEntry } from '#platform/db/audit.ts';
import { insertCaseEvent } from './case-event.ts';
import { type StaffContext, tellStaff } from './case-row.ts';

/** The action in the audit trail for each kind of event that staff cause in a case. */
const actions = {
  claimed: 'case.claimed',
  released: 'case.released',
  assigned: 'case.assigned',
  escalated: 'case.escalated',
  waiting_reporter: 'case.paused',
  waiting_authority: 'case.paused',
  resumed: 'case.resumed',
  reopened: 'case.reopened',
  decided: 'case.decided',
  age_asked: 'case.ageAsked',
  referred: 'case.referred',
  restriction_ended: 'case.restrictionEnded',
  legal_hold_set: 'legalHold.set',
  sanction_revoked: 'sanction.revoked',
  appeal_reviewed: 'appeal.reviewed',
} as const satisfies Partial<Record<(typeof caseEventKinds)[number], AuditAction>>;

interface CaseAct {
  what: keyof typeof actions;
  /** The value that the history shows. */
  to?: string | null;
  /** The reason, in the history and in the audit trail. */
  reason?: string | undefined;
  changes?: AuditEntry['changes'];
}

/** Records an act of staff on a case: in its history, in the audit trail, and on the screens of other staff after the commit. */
export async function actOnCase(
  context: StaffContext,
  id: string,
  { what, to = null, reason, changes }: CaseAct,
): Promise<void> {
  const { tx, caller, now } = context;
  const event = { case_id: id, at: now, kind: what, to_value: to, reason: reason ?? null };
  await insertCaseEvent(tx, event, actorOf(caller));
  await audit(context, { type: 'case', id }, actions[what], { reason, changes });
  await tellStaff(tx, id);
}
