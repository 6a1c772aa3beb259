import { msg } from '@lingui/core/runtime-macro';
import { sql } from 'kysely';
import { helpsPerDay, lockedLinkDays } from '#contract/constants.ts';
import type { AnswerInput } from '#contract/endpoint.ts';
import type { openAppealLink } from '#contract/moderation/appeals.ts';
import type { Deps } from '../../../deps.ts';
import { type Db, inTransaction } from '#platform/db/db.ts';
import { notFound } from '#platform/http/app-error.ts';
import { emailPayload, job } from '#platform/jobs/job.ts';
import { type MailTemplates, queueMail } from '#platform/notify/mail.ts';
import { dayOf, secondsAfter, startOfDay } from '#platform/process/clock.ts';
import { mailsSince } from '../../auth/public.ts';
import { linkedWithdrawal, presentOf, refundOffer } from '../../subscriptions/public.ts';
import { statementOf } from '../decisions/decisions.reads.ts';
import { type Appealable, appealToken, noDecision } from '../decisions/links.ts';

const daySeconds = 86_400;

/** The mails to locked-out people who requested the link to what they can still do. */
export const linkMails = {
  lockedLink: (data, publicUrl) => ({
    subject: msg`Your account`,
    heading: msg`You can't sign in to your account`,
    paragraphs: [
      msg`On your page you can read why, and what you can do: appeal a decision, get a copy of your data, and have unused premium paid back. The link works until ${{ until: data['until'] }}.`,
    ],
    button: { text: msg`Open my page`, url: new URL(`/app/appeal#${data['token'] ?? ''}`, publicUrl).href },
    footnote: msg`If you didn't ask for this, you can ignore it. Don't forward it: the link is yours alone.`,
  }),
} satisfies MailTemplates;

/** An account of a member that is locked but not about to be deleted, or undefined. */
export async function lockedAccount(db: Db, accountId: string) {
  return await db
    .selectFrom('account')
    .select(['email', 'email_verified_at', 'deactivation_reason'])
    .where('id', '=', accountId)
    .where('is_active', '=', false)
    .where('leaving_since', 'is', null)
    .where('staff_role', 'is', null)
    .executeTakeFirst();
}

/** What the emailed link shows: the decision, and what a member who can't sign in can still do. 404 if there is nothing. */
export async function openLink(
  deps: Deps,
  about: Appealable,
  now: Date,
): Promise<AnswerInput<typeof openAppealLink>['data']> {
  const { db } = deps;
  const account = await lockedAccount(db, about.accountId);
  const present = await presentOf(deps);
  const locked =
    account === undefined
      ? null
      : {
          reason: account.deactivation_reason,
          refund: await refundOffer(db, deps, about.accountId, { now, present }),
          withdrawal: await linkedWithdrawal(db, deps, about.accountId, { now, present }),
          mayExport: account.email_verified_at !== null,
        };
  if (about.decisionId !== noDecision) return { notice: await statementOf(db, about, now), locked };
  if (locked === null) throw notFound();
  return { notice: null, locked };
}

/** The newest decision that locks an account out, or none. */
async function barringDecision(db: Db, accountId: string, now: Date): Promise<string> {
  const { rows } = await sql<{ id: string | null }>`
    select decision_id as id from sanction where account_id = ${accountId}::uuid and kind in ('suspend', 'ban')
      and revoked_at is null and (ends_at is null or ends_at > ${now}) order by starts_at desc limit 1`.execute(db);
  return rows[0]?.id ?? noDecision;
}

/** Mails the owner of a locked account the link, at most three times a day; nothing for other addresses. */
async function mailLink({ db, clock, appealKey }: Deps, { email }: { email: string }): Promise<void> {
  const now = clock.now();
  await inTransaction(db, async (tx) => {
    const known = await tx
      .selectFrom('account')
      .select('id')
      .where('email', '=', email)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (known === undefined || (await lockedAccount(tx, known.id)) === undefined) return;
    const accountId = known.id;
    if ((await mailsSince(tx, accountId, 'lockedLink', startOfDay(now))) >= helpsPerDay) return;
    const until = secondsAfter(now, lockedLinkDays * daySeconds);
    const decisionId = await barringDecision(tx, accountId, now);
    const token = appealToken(appealKey, { decisionId, accountId, email }, until);
    const data = { token, until: dayOf(until) };
    await queueMail(tx, { to: email, accountId, template: 'lockedLink', data, expiresAt: until }, now);
  });
}

/** The job behind a request for a link, so that neither the answer nor its time reveals whether there is such an account. */
export const mailLinkJob = job({
  name: 'appeals.mailLink',
  payload: emailPayload,
  sweep: { harmless: 'Whoever waits for the mail asks for another.' },
  run: mailLink,
});
