import { ageBuckets } from '#contract/statistics.ts';
import { funnelSteps } from '#contract/insights/cohorts.ts';
import { genders } from '#contract/profiles/profile-details.ts';
import { dayOf } from '../../server/src/platform/process/clock.ts';
import { dayColumns } from '../../server/src/features/insights/groups.ts';
import { rowsOf } from '../product.ts';
import { asSuperuser } from './data.ts';

const today = dayOf(new Date());
const daysCounted = 730;

const text = (list: readonly string[]) => `unnest('{${list.map((one) => `"${one}"`).join(',')}}'::text[])`;
const days = `generate_series('${today}'::date - ${daysCounted}, '${today}'::date, interval '1 day')`;

/** Rows as if the roll-up had run for two years on a large service; rows that were really counted are kept. */
const filling = [
  `insert into installation (name, value) values ('insights', jsonb_build_object('next', '${today}', 'countedAt', now(),
    'from', '${today}'::date - ${daysCounted}, 'visitsSince', '${today}'::date - ${daysCounted}))`,
  `insert into insight_day (gender, age, country, day, ${dayColumns.join(', ')})
    select g, a, c, day, ${dayColumns.map(() => '10 + (random() * 1000)::int').join(', ')}
    from ${text(['*', '', ...genders])} g, ${text(['*', '', ...ageBuckets.map(({ bucket }) => bucket)])} a,
      (select distinct country from directory where country is not null union values ('*'), ('')) place (c), ${days} day
    where a = '*' or c = '*'`,
  `insert into insight_money select gender, age, country, day, 'USD', 3, 2997, 999 from insight_day`,
  `insert into insight_cohort select distinct on (1, 2, 3, 4, 5) date_trunc('month', joined)::date, step, g,
      case step when 'active' then after / 30 else least(2, after / 30) end, joined::date + after, 10
    from ${days} joined, ${text([...funnelSteps, 'active'])} step, ${text(['', ...genders])} g, generate_series(0, 330, 30) after`,
  // 325,000 decisions a year.
  `insert into case_decision_day select day, clause, md5(n::text)::uuid, 5, 1, 0, 5, 3600000 * n
    from ${days} day, (select clause from community_rule union values ('')) rules, generate_series(1, 20) n`,
  `insert into milestone select account_id, 'completed', created_at from directory where is_complete`,
  `insert into active_days select account_id, date_trunc('month', month)::date, (random() * 2147483647)::int
    from directory, generate_series('${today}'::date - interval '2 months', '${today}'::date, interval '1 month') month
    where random() < 0.3`,
];

/** Fills the tables of the roll-up, unless they are filled already. */
export async function fillInsights(superuserUrl: string): Promise<void> {
  await asSuperuser(superuserUrl, async (client) => {
    if ((await rowsOf(client, `select from installation where name = 'bench-insights'`)).length > 0) return;
    await client.query('begin');
    for (const statement of filling) await client.query(`${statement} on conflict do nothing`);
    await client.query(`insert into installation (name, value) values ('bench-insights', to_jsonb(now()))`);
    await client.query('commit');
    await client.query(
      'vacuum (analyze) insight_day, insight_money, insight_cohort, case_decision_day, milestone, active_days',
    );
  });
}

/** The rows that members' actions write during the roll-up. */
export const memberWrites = {
  like: `insert into decision (viewer_id, target_id, kind, decided_at)
    select v.account_id, t.account_id, 'like', now()
    from (select account_id from directory where account_id > (select gen_random_uuid()) order by 1 limit 1) v,
      (select account_id from directory where account_id > (select gen_random_uuid()) order by 1 limit 1) t
    where v.account_id <> t.account_id on conflict do nothing`,
  message: `insert into message (conversation_id, seq, sender_id, client_id, body, sent_at)
    select c.id, (select coalesce(max(seq), 0) + 1 from message m where m.conversation_id = c.id), c.low_id, gen_random_uuid(), 'Hi', now()
    from conversation c where c.id > (select gen_random_uuid()) order by c.id limit 1`,
  'sign-up': `with made as (insert into account (email) values (gen_random_uuid() || '@bench.test') returning id),
      seen as (insert into presence (account_id, last_active_at) select id, now() from made)
    insert into profile (account_id, first_name, gender, birth_date) select id, 'Ida', 'woman', '1990-05-05' from made`,
};
