import pg from 'pg';
import { caseViews } from '#contract/moderation/case-list.ts';
import type { BenchData } from './data.ts';
import { askOk, timesOf } from './measure.ts';
import { heading, reportTimes } from './report.ts';
import { serve } from './service.ts';

const cases = 200_000;
/** One in ten waits for a decision. */
const openEvery = 10;
const reportsInOpen = 5;
const pagesDeep = 40;

/** Statements that fill an empty database; `$1` and `$2` are the first and the last number of a batch. */
const filling = [
  `insert into account (id, email, created_at, email_verified_at)
    select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'm' || n || '@bench.test', now() - interval '90 days', now()
    from generate_series($1::int, $2::int) n`,
  `insert into profile (account_id, first_name, last_name, birth_date, gender, bio)
    select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'Ida', 'Number ' || n, '1990-01-01', 'woman', 'A text'
    from generate_series($1::int, $2::int) n`,
  `insert into moderation_case (person_id, stage, priority, opened_at, updated_at, started_at, responded_at, decided_at, due_at,
      report_count, open_reports)
    select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, case when is_open then 'open' else 'decided' end,
      (array['critical', 'high', 'medium', 'other'])[1 + n % 4], at, at, at, null, case when not is_open then at end,
      case when is_open then at + interval '10 days' end, 1, is_open::int
    from (select n, n % ${openEvery} = 0 as is_open, now() - n * interval '60 seconds' as at from generate_series($1::int, $2::int) n) t`,
  `insert into report (reporter_id, reported_id, named_id, named_name, problem_type, description, first_priority, priority, status,
      created_at, updated_at, due_at, case_id)
    select ('00000000-0000-4000-8000-' || lpad((1 + (n * 7 + k) % 1000)::text, 12, '0'))::uuid, c.person_id, c.person_id, 'Ida',
      (array['Harassment', 'Inappropriate Content', 'Other'])[1 + k % 3], 'Wrote insults in message ' || k, 'high', 'high',
      case when c.stage = 'open' then 'pending' else 'resolved' end, c.opened_at, c.opened_at, c.opened_at + interval '4 hours', c.id
    from generate_series($1::int, $2::int) n
      join moderation_case c on c.person_id = ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid
      cross join generate_series(1, case when c.stage = 'open' then ${reportsInOpen} else 1 end) k`,
  `insert into report_evidence (report_id, kind, captured_at, content, hash)
    select r.id, 'profile', r.created_at, c.content, sha256(convert_to(c.content, 'UTF8'))
    from report r join moderation_case m on m.id = r.case_id and m.stage = 'open'
      cross join (select '{"profile":{"firstName":"Ida","gender":"woman","genderText":null,"age":34,"bio":"A text","location":null},"pictures":[]}' as content) c
    where r.reported_id between ('00000000-0000-4000-8000-' || lpad($1::text, 12, '0'))::uuid
      and ('00000000-0000-4000-8000-' || lpad($2::text, 12, '0'))::uuid`,
  `insert into case_event (case_id, at, kind, actor_role)
    select c.id, c.opened_at, kind, 'system' from generate_series($1::int, $2::int) n
      join moderation_case c on c.person_id = ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid
      cross join unnest(array['opened', 'raised_critical', 'lease_expired']) kind`,
] as const;

async function fill(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('set statement_timeout = 0');
    const atOnce = 10_000;
    for (const text of filling)
      for (let from = 1; from < cases; from += atOnce) await client.query(text, [from, from + atOnce - 1]);
    await client.query(
      `update account set staff_role = 'admin', email = 'lead@bench.test' where email = 'm1@bench.test'`,
    );
    await client.query('select logic.statistic_fold()');
    await client.query('analyze account, profile, moderation_case, report, report_evidence, case_event');
  } finally {
    await client.end();
  }
}

const path = (query: Record<string, string>) => `/api/v1/admin/cases?${new URLSearchParams(query).toString()}`;

/** The queue of 200,000 cases and the pages of single ones, for someone who is a party of a few. */
export async function benchCases(data: BenchData): Promise<void> {
  const database = await data.empty();
  await fill(database);
  const service = await serve(database, 'lead@bench.test');
  try {
    heading('Cases, 200,000 of them, 20,000 open');
    const [paths, ids]: [string[], string[]] = [[], []];
    for (const view of ['open', 'decided']) {
      let cursor: string | null = null;
      for (let page = 0; page < pagesDeep; page += 1) {
        const asked: string = path({ view, ...(cursor !== null && { cursor }) });
        const { data: found } = JSON.parse((await askOk(service, asked)).body) as {
          data: { cases: { _id: string }[]; nextCursor: string | null };
        };
        paths.push(asked);
        if (view === 'open') ids.push(...found.cases.map(({ _id }) => _id).slice(0, 10));
        cursor = found.nextCursor;
      }
    }
    reportTimes(`${pagesDeep} pages of open and of decided cases`, await timesOf(service, paths, 5), 30);
    const views = caseViews.map((view) => path({ view }));
    reportTimes('the first page of each list', await timesOf(service, views, 60), 30);
    reportTimes(
      'the page of one case',
      await timesOf(
        service,
        ids.map((id) => `/api/v1/admin/cases/${id}`),
      ),
      60,
    );
  } finally {
    await service.stop();
  }
}
