import { msg } from '@lingui/core/runtime-macro';
import { sql } from 'kysely';
import type { Reactions } from '../../../events.ts';
import type { Actor } from '#platform/db/audit.ts';
import type { Db } from '#platform/db/db.ts';
import { applySanctions, lockSanctioned, revokeRows } from '../decisions/sanctions.ts';
import { type MailTemplates, queueMail } from '#platform/notify/mail.ts';

/** The mail to someone whose temporary restriction ended without measures. */
export const restrictionMails = {
  restrictionEnded: () => ({
    subject: msg`The restriction of your account has ended`,
    heading: msg`The temporary restriction has ended`,
    paragraphs: [
      msg`Your profile is shown again and you can start new conversations, unless another decision that we told you about says otherwise.`,
      msg`The restriction won't count against you later. You don't need to do anything.`,
    ],
  }),
} satisfies MailTemplates;

interface Restriction {
  id: string;
  account_id: string | null;
  ends_at: Date;
}

/** The temporary sanctions of a case that are in force. */
export async function liveRestrictions(db: Db, caseId: string, now: Date): Promise<Restriction[]> {
  const { rows } = await sql<Restriction>`
    select s.id, s.account_id, s.ends_at from sanction s join case_decision d on d.id = s.decision_id
    where d.case_id = ${caseId}::uuid and d.kind = 'interim' and s.revoked_at is null and s.ends_at > ${now}::timestamptz
    order by s.id`.execute(db);
  return rows;
}

interface Lifting {
  caseId: string;
  by: Pick<Actor, 'name'>;
  reason: string;
  /** Whether the person is notified that it ended, because no other decision notifies them. */
  isTold: boolean;
}

/** Revokes the temporary restrictions of a locked case. Returns whether there was one. */
export async function liftRestrictions(tx: Db, { caseId, by, reason, isTold }: Lifting, now: Date): Promise<boolean> {
  const live = await liveRestrictions(tx, caseId, now);
  if (live.length === 0) return false;
  const ids = live.map(({ id }) => id);
  await lockSanctioned(tx, ids);
  await revokeRows(tx, { ids, by, reason }, now);
  for (const accountId of new Set(live.flatMap(({ account_id }) => account_id ?? []))) {
    await applySanctions(tx, accountId, now, { mayActivate: false });
    if (!isTold) continue;
    const { email } = await tx
      .selectFrom('account')
      .select('email')
      .where('id', '=', accountId)
      .executeTakeFirstOrThrow();
    await queueMail(tx, { to: email, accountId, template: 'restrictionEnded', data: {} }, now);
  }
  return true;
}

export const restrictionReactions: Reactions = {
  // A decision that acts notifies the person itself.
  async caseDecided(tx, { caseId, outcome, by, now }) {
    await liftRestrictions(tx, { caseId, by, reason: 'The case was decided.', isTold: outcome !== 'actioned' }, now);
  },
};
