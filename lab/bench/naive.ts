import type pg from 'pg';
import { getCards } from '#contract/discovery.ts';
import { listUsers } from '#contract/profiles/staff.ts';
import { getStatistics } from '#contract/statistics.ts';
import { call, type Outcome } from '../../server/test/proofs/http.ts';
import { findMembers, signIn } from '../product.ts';
import { asSuperuser, type BenchData } from './data.ts';
import { heading, quantile, remark, reportAtLeast } from './report.ts';
import { administratorToken, onCpuMs, serve, type Service } from './service.ts';

const viewers = 20;
const deepPage = 500;
const terms = ['ada@heartwood.test', 'quetzalcoatl', 'nightbus', 'garcía'];
/** How often each call is sent. With a million members, the obvious statements take up to half a minute. */
const rounds = { ours: 50, naive: 3 };

/** One statement with its values. */
interface Statement {
  text: string;
  values: unknown[];
}

const radiusKm = 100;
const hits = 20;

/**
 * The obvious designs, with the indexes that the tables have anyway, as baselines. They leave out much of what the service also does, such
 * as filters of both sides, reasons, and daily limits.
 */
const naiveQueries = {
  /** Random matching people within a radius, with their pictures. */
  cards: (viewerId: string): Statement[] => [
    {
      text: `
        select found.*, p.public_id, p.object_key, p.width, p.height, p.placeholder
        from (
          select a.id, f.first_name, f.gender, f.birth_date, f.bio, f.city, f.country, f.details, r.online, r.last_active_at,
            12742 * asin(sqrt(least(1, sin(radians(f.latitude - v.latitude) / 2) ^ 2 + cos(radians(v.latitude)) * cos(radians(f.latitude))
              * sin(radians(f.longitude - v.longitude) / 2) ^ 2))) as km
          from profile v
            join profile f on f.account_id <> v.account_id
            join account a on a.id = f.account_id
            join presence r on r.account_id = a.id
          where v.account_id = $1 and a.is_active and a.email_verified_at is not null and a.leaving_since is null and a.staff_role is null
            and f.complete and f.gender = any (v.seeking) and v.gender = any (f.seeking)
            and r.last_active_at > now() - interval '25 days'
            and 12742 * asin(sqrt(least(1, sin(radians(f.latitude - v.latitude) / 2) ^ 2 + cos(radians(v.latitude)) * cos(radians(f.latitude))
              * sin(radians(f.longitude - v.longitude) / 2) ^ 2))) <= ${radiusKm}
            and not exists (select from decision d where d.viewer_id = v.account_id and d.target_id = f.account_id)
            and not exists (select from block b where b.blocker_id = v.account_id and b.blocked_id = f.account_id)
            and not exists (select from block b where b.blocker_id = f.account_id and b.blocked_id = v.account_id)
          order by random() limit ${hits}) found
          left join picture p on p.account_id = found.id and p.state = 'approved'`,
      values: [viewerId],
    },
  ],
  /** The figures of the dashboard, counted each time. */
  figures: (): Statement[] => [
    {
      text: `
        select count(*), count(*) filter (where a.is_vip), count(*) filter (where a.is_active), count(*) filter (where r.online),
          count(*) filter (where f.complete), count(*) filter (where a.email_verified_at is not null)
        from account a join profile f on f.account_id = a.id join presence r on r.account_id = a.id where a.leaving_since is null`,
      values: [],
    },
    {
      text: `
        select date_trunc('month', created_at), count(*), count(*) filter (where is_vip)
        from account where leaving_since is null and created_at > now() - interval '6 months' group by 1`,
      values: [],
    },
    {
      text: `
        select f.gender, width_bucket(extract(year from age(f.birth_date)), array[18, 26, 36, 46, 56]), count(*)
        from account a join profile f on f.account_id = a.id where a.leaving_since is null group by 1, 2`,
      values: [],
    },
    {
      text: `
        select a.*, f.* from account a join profile f on f.account_id = a.id where a.leaving_since is null order by a.created_at desc limit 5`,
      values: [],
    },
  ],
  /** A numbered page of all users, with the number of pages. */
  page: (page: number): Statement[] => [
    {
      text: `
        select a.*, f.*, r.* from account a join profile f on f.account_id = a.id join presence r on r.account_id = a.id
        where a.leaving_since is null order by a.created_at desc, a.id desc limit ${hits} offset $1`,
      values: [(page - 1) * hits],
    },
    { text: 'select count(*) from account where leaving_since is null', values: [] },
  ],
  /** Users by a part of their name or address, with the total. */
  search: (term: string): Statement[] => {
    const found = `from account a join profile f on f.account_id = a.id join presence r on r.account_id = a.id
      where a.leaving_since is null and (a.email ilike $1 or concat_ws(' ', f.first_name, f.last_name) ilike $1)`;
    const values = [`%${term}%`];
    return [
      { text: `select a.*, f.*, r.* ${found} order by a.created_at desc limit ${hits}`, values },
      { text: `select count(*) ${found}`, values },
    ];
  },
};

/** Calls of the product, and the obvious statements for each of them. */
interface Comparison {
  what: string;
  least: number;
  ours: (() => Promise<Outcome>)[];
  naive: Statement[][];
}

/** Compares the database's CPU time of the product's calls, with their session checks, to the obvious design, with a warm cache. */
export async function benchNaive({ url, superuserUrl }: BenchData): Promise<void> {
  heading('Against the obvious design: CPU time of the database');
  const service = await serve(url);
  try {
    const all = await comparisons(service);
    await asSuperuser(superuserUrl, async (client) => {
      for (const comparison of all) await compare(service, client, comparison);
    });
  } finally {
    await service.stop();
  }
}

async function comparisons(service: Service): Promise<Comparison[]> {
  const { origin, db } = service;
  const ids = await findMembers(db, viewers);
  const sessions = await signIn(db, origin, ids);
  const token = await administratorToken(service);
  const users = (query: Record<string, string>) => () =>
    call(origin, listUsers, { token, query: { limit: '20', ...query } });
  return [
    {
      what: 'a page of 20 cards',
      least: 10,
      ours: sessions.map(
        (session) => () => call(origin, getCards, { token: session.token, query: { pictures: 'once' } }),
      ),
      naive: ids.map((id) => naiveQueries.cards(id)),
    },
    {
      what: 'the figures of the dashboard',
      least: 5,
      ours: [() => call(origin, getStatistics, { token })],
      naive: [naiveQueries.figures()],
    },
    {
      what: `page ${deepPage} of all users, by number`,
      least: 5,
      ours: [users({ page: String(deepPage) })],
      naive: [naiveQueries.page(deepPage)],
    },
    {
      what: 'a search in names and addresses',
      least: 5,
      ours: terms.map((search) => users({ search })),
      naive: terms.map((term) => naiveQueries.search(term)),
    },
  ];
}

async function compare(service: Service, client: pg.Client, { what, least, ours, naive }: Comparison): Promise<void> {
  // The first calls create decks and compile code.
  for (const ask of ours) await ask();
  const before = await service.usage();
  for (let round = 0; round < rounds.ours; round += 1)
    for (const ask of ours) {
      const outcome = await ask();
      if (outcome.kind !== 'answered' || outcome.status !== 200) throw new Error(`${what} was not answered`);
    }
  const oursMs = ((await service.usage()).databaseMs - before.databaseMs) / (rounds.ours * ours.length);
  const times: number[] = [];
  for (let round = 0; round <= rounds.naive; round += 1)
    for (const statements of naive) {
      const took = await cpuOf(client, statements);
      if (round > 0) times.push(took);
    }
  const naiveMs = quantile(times, 0.5);
  remark(what, `${naiveMs.toFixed(2)} ms the obvious way, ${oursMs.toFixed(2)} ms ours`);
  reportAtLeast(`${what}: times less`, naiveMs / oursMs, least);
}

/** CPU milliseconds of this connection's process for the statements. */
async function cpuOf(client: pg.Client, statements: Statement[]): Promise<number> {
  const { processID } = client as unknown as { processID: number };
  const before = onCpuMs(processID);
  for (const statement of statements) await client.query(statement);
  return onCpuMs(processID) - before;
}
