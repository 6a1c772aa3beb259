import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/runtime-macro';
import { sql } from 'kysely';
import { type GrowthMeasure, growthMeasures } from '#contract/insights/series.ts';
import type { Deps } from '../../deps.ts';
import { type Db, inTransaction } from '#platform/db/db.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { eachInTurn } from '#platform/jobs/turns.ts';
import { type MailContent, type MailTemplates, queueMail } from '#platform/notify/mail.ts';
import { presentLanguage } from '#platform/process/log.ts';
import { textOf } from '#platform/texts.ts';
import { dayOf } from '#platform/process/clock.ts';
import { unsubscribeLinks, unsubscribeToken } from '../notifications/public.ts';
import { daysAfter, startOf } from './days.ts';
import { readSeries } from './series.reads.ts';

/** The figures of the mail, in this order. */
const lines = {
  signUps: msg`Sign-ups`,
  weeklyActive: msg`Active members`,
  matches: msg`Matches`,
  conversations: msg`Conversations of six messages`,
} as const satisfies Partial<Record<GrowthMeasure, MessageDescriptor>>;
type Line = keyof typeof lines;
const lineNames = Object.keys(lines) as Line[];

const shown = (figure: number) => figure.toLocaleString(presentLanguage());

/** A day such as "January 5". */
const dayText = (day: string) =>
  new Date(day).toLocaleDateString(presentLanguage(), { day: 'numeric', month: 'long', timeZone: 'UTC' });

/** How a figure has changed, such as ", 8 % more than the week before"; empty if there was none. */
function changeText(now: number, before: number): string {
  if (before === 0) return '';
  const percent = Math.round((100 * (now - before)) / before);
  if (percent === 0) return textOf(msg`, as in the week before`);
  const by = shown(Math.abs(percent));
  return textOf(
    percent > 0 ? msg`, ${{ by }} % more than the week before` : msg`, ${{ by }} % less than the week before`,
  );
}

/** The Monday email about the last week. */
export const insightMails = {
  insightsWeek: (data, publicUrl): MailContent => ({
    subject: msg`Your week in figures`,
    heading: msg`The week from ${{ week: dayText(data['week'] ?? '') }}`,
    paragraphs: lineNames.map((name) => {
      const [now, before] = [Number(data[name]), Number(data[`${name}Before`])];
      return msg`${{ figure: textOf(lines[name]) }}: ${{ now: shown(now) }}${{ change: changeText(now, before) }}.`;
    }),
    button: { text: msg`Open insights`, url: new URL('/insights', publicUrl).href },
    unsubscribe: unsubscribeLinks(data['token'] ?? '', publicUrl),
  }),
} satisfies MailTemplates;

/** Whether a colleague gets the Monday email. */
export async function isMailWanted(db: Db, accountId: string): Promise<boolean> {
  const row = await db
    .selectFrom('insight_mail')
    .select('account_id')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Subscribes to the Monday email, or unsubscribes. */
export async function changeMail(
  { tx, caller }: Pick<CommandContext, 'tx' | 'caller'>,
  isWanted: boolean,
): Promise<void> {
  if (!isWanted) return await endMail(tx, caller.accountId);
  await tx
    .insertInto('insight_mail')
    .values({ account_id: caller.accountId, sent_on: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Stops the Monday email of an account. */
export async function endMail(tx: Db, accountId: string): Promise<void> {
  await tx.deleteFrom('insight_mail').where('account_id', '=', accountId).execute();
}

/** Sends the figures of last week once to all subscribed colleagues. Fails, so that it is retried, until the week is counted. */
export async function mailWeek({ db, clock, unsubscribeKey }: Deps): Promise<void> {
  const now = clock.now();
  const monday = startOf('week', dayOf(now));
  const range = { from: daysAfter(monday, -7), to: daysAfter(monday, -1), by: 'week', compare: 'previous' } as const;
  const { values, before, countedAt } = await readSeries(db, range, growthMeasures, { now });
  if (countedAt === null || dayOf(new Date(countedAt)) < monday) throw new Error('the last week is not counted yet');
  const figures = lineNames.flatMap((name) => [
    [name, String(values[name][0] ?? 0)],
    [`${name}Before`, String(before?.values[name][0] ?? 0)],
  ]);
  const data = { ...(Object.fromEntries(figures) as Record<string, string>), week: range.from };
  const { rows } = await sql<{ id: string; email: string }>`
    select a.id, a.email from insight_mail m join account a on a.id = m.account_id
    where a.staff_role is not null and a.is_active and a.leaving_since is null
      and m.sent_on is distinct from ${monday}::date order by a.id`.execute(db);
  const mail = ({ id, email }: { id: string; email: string }) =>
    inTransaction(db, async (tx) => {
      const marked = await tx
        .updateTable('insight_mail')
        .set({ sent_on: monday })
        .where('account_id', '=', id)
        .where('sent_on', 'is distinct from', monday)
        .executeTakeFirst();
      if (marked.numUpdatedRows === 0n) return;
      const token = unsubscribeToken(unsubscribeKey, id, ['insights']);
      await queueMail(
        tx,
        { to: email, accountId: id, template: 'insightsWeek', data: { ...data, token }, expiresAt: null },
        now,
      );
    });
  await eachInTurn(rows, mail, { round: 'insights.mailWeek', keyOf: ({ id }) => id });
}
