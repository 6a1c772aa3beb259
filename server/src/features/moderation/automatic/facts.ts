import { sql } from 'kysely';
import { ruleFactDays } from '#contract/moderation/automatic-rules.ts';
import { ruleFactMost, type RuleFactValues } from '#contract/moderation/rule-words.ts';
import type { FirstWords } from '../../../events.ts';
import { type Db, planHint } from '#platform/db/db.ts';
import { dayOf, secondsAfter } from '#platform/process/clock.ts';
import { cautionFor } from '../../messages/public.ts';
import { printsOf } from './prints.ts';

/** The facts of one account as they are now. */
export interface Found {
  accountId: string;
  facts: RuleFactValues;
}

/** A bound on what is read for one account, so that no one can make a fact costly. */
const printsCompared = 60;

/** Since when facts count. */
export const factsSince = (now: Date): Date => secondsAfter(now, -ruleFactDays * 86_400);

/**
 * Determines the facts of these members and merges them into what is stored about the day, in one statement: the highest value of each
 * fact, and the lowest age. `sending` counts the texts they are sending right now, and those that get a warning.
 */
export async function refreshFacts(
  db: Db,
  ids: readonly string[],
  now: Date,
  sending = { texts: 0, warned: 0 },
): Promise<Found[]> {
  const { texts, warned } = sending;
  const { rows } = await sql<Found>`
    with person as (
      select a.id, a.created_at, d.country from (select unnest(${[...ids]}::uuid[]) as id ${planHint(ids)}) asked
        join account a on a.id = asked.id left join directory d on d.account_id = a.id
      where a.staff_role is null and a.leaving_since is null
    ), kept as (
      select account_id, sum(moves)::int as moves, sum(warned)::int as warned,
        coalesce(sum(first_texts) filter (where day = ${dayOf(now)}::date), 0)::int as first_texts, (array_agg(country order by day desc))[1] as country
      from rule_fact where account_id in (select id from person) and day >= ${dayOf(factsSince(now))}::date group by 1
    ), latest as (
      select p.id, p.country, coalesce(k.country <> p.country, false)::int as moved, jsonb_build_object(
        'accountAgeHours', greatest(0, floor(extract(epoch from ${now}::timestamptz - p.created_at) / 3600))::int,
        'likesPerHour', (select count(*) from (select from decision d where d.viewer_id = p.id
          and d.decided_at > ${secondsAfter(now, -3600)}::timestamptz and d.kind in ('like', 'held', 'dropped')
          limit ${ruleFactMost.likesPerHour}) sent),
        'sameTextSenders', texts.senders, 'sameTextSent', texts.sent, 'warnedTextSenders', texts.warned,
        'warnedTexts', coalesce(k.warned, 0) + ${warned}::int,
        'firstTexts', least(coalesce(k.first_texts, 0) + ${texts}::int, ${ruleFactMost.firstTexts}::int),
        'reporters', (select least(count(distinct r.reporter_id), count(distinct power.network),
            count(distinct mailbox_of(reporter.email)))
          from report r join report_power power on power.report_id = r.id and power.is_credible
            join account reporter on reporter.id = r.reporter_id
          where r.reported_id = p.id and r.source = 'notice' and r.status <> 'rejected' and r.deleted_at is null
            and r.created_at > ${factsSince(now)}::timestamptz),
        'banTraces', (select count(*) from account_link l where l.account_id = p.id and l.strength = 'strong' and l.reviewed_at is null),
        -- Only of pictures that others had before, since someone whose pictures are stolen has done nothing.
        'pictureDuplicates', (select count(distinct own.id) from picture own join same_picture s on s.picture_id = own.id
          join picture other on other.id = s.other_id and other.uploaded_at < own.uploaded_at
          where own.account_id = p.id and own.place is not null),
        'countryChanges', coalesce(k.moves, 0) + coalesce(k.country <> p.country, false)::int) as facts
      from person p left join kept k on k.account_id = p.id cross join lateral (
        -- Only earlier senders, since anyone can copy what someone wrote, and none who sent it to another sender.
        select coalesce(max(own.sent), 0) as sent, coalesce(max(1 + earlier.senders), 0) as senders,
          coalesce(max(1 + earlier.warned) filter (where own.is_warned), 0) as warned
        from (select print, seq, sent, is_warned from text_print where account_id = p.id order by at desc limit ${printsCompared}) own
          cross join lateral (select count(*) as senders, count(*) filter (where is_warned) as warned from (
            select o.is_warned from text_print o where o.print = own.print and o.seq < own.seq
              and not exists (select from text_print r where r.print = o.print and r.account_id = o.receiver_id)
            order by o.seq limit ${ruleFactMost.sameTextSenders - 1}) known) earlier
      ) texts
    ), stored as (
      insert into rule_fact as f (account_id, day, country, moves, warned, first_texts, facts)
      select id, ${dayOf(now)}::date, country, moved, ${warned}::int, ${texts}::int, facts from latest order by id
      on conflict (account_id, day) do update set country = coalesce(excluded.country, f.country),
        moves = f.moves + excluded.moves, warned = f.warned + excluded.warned, first_texts = f.first_texts + excluded.first_texts,
        facts = (select jsonb_object_agg(n.key, greatest(f.facts -> n.key, n.value)) from jsonb_each(excluded.facts) n)
          || jsonb_build_object('accountAgeHours', f.facts -> 'accountAgeHours')
    )
    select id as "accountId", facts from latest`.execute(db);
  return rows;
}

/** Records a text that someone is about to send to a person who hardly knows them; returns the sender's facts including it. */
export async function noteFirstWords(
  tx: Db,
  { accountId, receiverId, text }: Omit<FirstWords, 'now'>,
  now: Date,
): Promise<Found | undefined> {
  const prints = printsOf(text);
  const isWarned = cautionFor(text) !== null;
  if (prints.length > 0)
    await sql`
      insert into text_print as t (print, account_id, receiver_id, sent, is_warned, at)
      select print, ${accountId}::uuid, ${receiverId}::uuid, 1, ${isWarned}::boolean, ${now}::timestamptz from unnest(${prints}::bigint[]) as print order by 1
      on conflict (print, account_id) do update
        set sent = t.sent + 1, is_warned = t.is_warned or excluded.is_warned,
          receiver_id = excluded.receiver_id, at = excluded.at`.execute(tx);
  const [found] = await refreshFacts(tx, [accountId], now, { texts: 1, warned: Number(isWarned) });
  return found;
}
