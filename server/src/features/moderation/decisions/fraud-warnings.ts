import { msg } from '@lingui/core/runtime-macro';
import { type RawBuilder, sql } from 'kysely';
import { fraudClause } from '#contract/moderation/shipped-rules.ts';
import { everywhere } from '#contract/moderation/help-lines.ts';
import { countryCodes, countryName } from '#contract/profiles/countries.ts';
import type { Reactions } from '../../../events.ts';
import { type Db, inTransaction } from '#platform/db/db.ts';
import { eachInTurn, pagesOf } from '#platform/jobs/turns.ts';
import { type MailTemplates, queueMail } from '#platform/notify/mail.ts';
import { secondsAfter } from '#platform/process/clock.ts';

const daySeconds = 86_400;
/** How far back an answer to the banned person counts. */
const answeredDays = 90;
/** This delay allows a mistaken ban to be revoked before anyone is warned; the law requires the warning within 24 hours. */
const delayHours = 6;
/** The legal deadline. */
const lateHours = 24;

/** The mails to members who answered someone who was banned for fraud. They contain nothing about who reported it. */
export const fraudMails = {
  fraudWarning: ({ name = '', lines = '', country = '' }, publicUrl) => ({
    subject: msg`Please be careful`,
    heading: msg`Please be careful`,
    paragraphs: [
      name === ''
        ? msg`Someone you wrote with was banned and may have used a false identity.`
        : msg`${{ name }}, who you wrote with, was banned and may have used a false identity.`,
      msg`Never send money, gift cards, copies of papers or codes, whatever the story, also if the person writes to you elsewhere.`,
      msg`If you have sent money, call your bank now: the sooner you do, the more can be stopped. Then report the person to the police and to us.`,
      ...(lines === '' ? [] : [msg`Help lines`, ...lines.split('\n').map((line) => msg`${{ text: line }}`)]),
    ],
    button: {
      text: msg`Advice and help lines`,
      url: new URL(`/app/safety${country && `?country=${country}`}`, publicUrl).href,
    },
  }),
  fraudCorrection: ({ name = '' }) => ({
    subject: msg`A correction`,
    heading: msg`We were wrong`,
    paragraphs: [
      name === ''
        ? msg`We warned you that someone you wrote with may have used a false identity. That was wrong, and we take it back. We're sorry.`
        : msg`We warned you that ${{ name }}, who you wrote with, may have used a false identity. That was wrong, and we take it back. We're sorry.`,
    ],
  }),
} satisfies MailTemplates;

/** A condition: the sanction `s` is a ban for fraud that is in force. */
const isFraudBan = sql`s.kind = 'ban' and s.revoked_at is null and exists (
  select from case_decision d join community_rule r on r.id = d.rule_id where d.id = s.decision_id and r.clause = ${fraudClause})`;

/** The first name of a profile `p` as the other person of conversation `c` knew it; null if it was changed after the end. */
const knownName = sql`case when c.ended_at is null then p.first_name else coalesce(
  (select g.first_name from goodbye g where g.conversation_id = c.id and g.reader_id = c.other_id),
  case when not exists (select from profile_change h
    where h.account_id = p.account_id and h.at > c.ended_at and 'firstName' = any(h.fields)) then p.first_name end) end`;

/**
 * Schedules a warning to everyone who answered a person within the last 90 days, if this sanction bans that person for fraud. What a member
 * could see counts: messages of the banned person that were never delivered were not answered.
 */
export async function promiseWarnings(
  tx: Db,
  { sanctionId, accountId }: { sanctionId: string; accountId: string },
  now: Date,
): Promise<void> {
  const person = sql`${accountId}::uuid`;
  const since = secondsAfter(now, -answeredDays * daySeconds);
  const wrote = (table: 'message' | 'held_message') => sql`exists (select from ${sql.table(table)} m
    where m.conversation_id = c.id and m.sender_id = c.other_id and m.sent_at > ${since})`;
  await sql`
    insert into fraud_warning (sanction_id, account_id, first_name, due_at)
    select distinct on (c.other_id) s.id, c.other_id, ${knownName}, ${secondsAfter(now, delayHours * 3600)}::timestamptz
    from sanction s join profile p on p.account_id = s.account_id cross join (
        select *, high_id as other_id from conversation where low_id = ${person}
        union all select *, low_id from conversation where high_id = ${person}
      ) c
    where s.id = ${sanctionId}::uuid and ${isFraudBan} and (c.is_answered or c.opened_by = ${person})
      and (${wrote('message')} or ${wrote('held_message')})
      and not exists (select from fraud_warning w join sanction o on o.id = w.sanction_id
        where w.account_id = c.other_id and o.account_id = ${person} and o.revoked_at is null)
    order by c.other_id, c.began_at desc`.execute(tx);
}

/**
 * Revokes the warnings of these sanctions, which have just been revoked: sent ones are corrected, unless another ban for fraud is in force.
 */
export async function takeBackWarnings(tx: Db, sanctionIds: readonly string[], now: Date): Promise<void> {
  const isOfThese = sql`w.sanction_id = any (${sanctionIds}::uuid[])`;
  await sql`update fraud_warning w set sanction_id = s.id from sanction revoked, sanction s
    where ${isOfThese} and revoked.id = w.sanction_id and s.account_id = revoked.account_id and ${isFraudBan}`.execute(
    tx,
  );
  // In this order, because a warning that is being sent stays locked until it is sent.
  await sql`delete from fraud_warning w where ${isOfThese} and w.warned_at is null`.execute(tx);
  await sql`update fraud_warning w set due_at = ${now} where ${isOfThese} and w.corrected_at is null`.execute(tx);
}

export const warningReactions: Reactions = {
  // The names of banned people are deleted with their accounts.
  async accountsEnding(tx, { accountIds }) {
    await sql`update fraud_warning set first_name = null where sanction_id in (
      select id from sanction where account_id = any (${accountIds}::uuid[]))`.execute(tx);
  },
};

interface DueRow {
  id: string;
  due_at: string;
}

/** The row `w` is waiting to be sent to account `a`, which is not being deleted. */
const isDue = (now: Date): RawBuilder<unknown> => sql`w.due_at <= ${now}::timestamptz and a.leaving_since is null`;

/** Sends the warnings and corrections that are due: a notification and a mail each. */
export async function sendWarnings(db: Db, now: Date): Promise<void> {
  const due = pagesOf<DueRow>(async (after) => {
    const { rows } = await sql<DueRow>`
      select w.id, w.due_at::text from fraud_warning w join account a on a.id = w.account_id
      where ${isDue(now)} and (w.due_at, w.id) > (${after?.due_at ?? '-infinity'}::timestamptz, ${after?.id ?? noId}::uuid)
      order by w.due_at, w.id limit 200`.execute(db);
    return rows;
  });
  await eachInTurn(due, ({ id }) => inTransaction(db, (tx) => sendOne(tx, id, now)), {
    round: 'bans.warn',
    keyOf: ({ id }) => id,
  });
}

const noId = '00000000-0000-0000-0000-000000000000';

async function sendOne(tx: Db, id: string, now: Date): Promise<void> {
  const { rows } = await sql<{
    account_id: string;
    email: string;
    country: string | null;
    first_name: string | null;
    is_warned: boolean;
  }>`
    select w.account_id, a.email, p.country, w.first_name, w.warned_at is not null as is_warned
    from fraud_warning w join account a on a.id = w.account_id left join profile p on p.account_id = a.id
    where w.id = ${id}::uuid and ${isDue(now)} for update of w skip locked`.execute(tx);
  const [row] = rows;
  if (row === undefined) return;
  const { account_id, email, country, is_warned } = row;
  const name = row.first_name ?? '';
  await tx
    .updateTable('fraud_warning')
    .set({ due_at: null, [is_warned ? 'corrected_at' : 'warned_at']: now })
    .where('id', '=', id)
    .execute();
  const about = { account_id, kind: 'warning' as const, subject_id: id };
  // The correction replaces the warning.
  await tx
    .deleteFrom('notification')
    .where((eb) => eb.and(about))
    .execute();
  await tx
    .insertInto('notification')
    .values({ ...about, at: now })
    .execute();
  const mail = is_warned
    ? { template: 'fraudCorrection', data: { name } }
    : { template: 'fraudWarning', data: { name, ...(await helpFor(tx, country)) } };
  await queueMail(tx, { to: email, accountId: account_id, ...mail }, now);
}

/** The code of a country by our name for it, with its help lines and those of all countries, one per line. */
async function helpFor(tx: Db, name: string | null): Promise<{ country: string; lines: string }> {
  // Former countries have codes of their own with the same name.
  const codes = countryCodes.filter((code) => countryName(code) === name);
  const lines = await tx
    .selectFrom('help_line')
    .select(['country', 'name', 'phone', 'url'])
    .where('country', 'in', [...codes, everywhere])
    .where('is_emergency', '=', false)
    .orderBy(sql`country = ${everywhere}`)
    .orderBy('name')
    .execute();
  return {
    country: lines.find(({ country }) => country !== everywhere)?.country ?? '',
    lines: lines.map(({ name, phone, url }) => `${name}: ${phone ?? url ?? ''}`).join('\n'),
  };
}

/** How many warnings are waiting, have waited for more than 24 hours, were sent, and were corrected. */
export async function countWarnings(db: Db, now: Date): Promise<Map<string, number>> {
  const { rows } = await sql<Record<'waiting' | 'late' | 'sent' | 'corrected', number>>`
    select count(w.due_at)::int as waiting,
      count(*) filter (where w.due_at <= ${secondsAfter(now, -(lateHours - delayHours) * 3600)})::int as late,
      count(w.warned_at)::int as sent, count(w.corrected_at)::int as corrected
    from fraud_warning w join account a on a.id = w.account_id where a.leaving_since is null`.execute(db);
  return new Map(Object.entries(rows[0] ?? {}));
}

/** The warnings that a member received, for their data export. */
export async function warningsOf(
  db: Db,
  accountId: string,
): Promise<{ firstName: string | null; warnedAt: Date | null; correctedAt: Date | null }[]> {
  return await db
    .selectFrom('fraud_warning')
    .select(['first_name as firstName', 'warned_at as warnedAt', 'corrected_at as correctedAt'])
    .where('account_id', '=', accountId)
    .where('warned_at', 'is not', null)
    .orderBy('warned_at')
    .execute();
}
