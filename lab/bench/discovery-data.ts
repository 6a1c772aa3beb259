import pg from 'pg';
import { cardsMax } from '#contract/discovery.ts';
import { withoutIndexes } from '../../demo/seed.ts';
import { deckRules } from '../../server/src/features/discovery/deck/page.ts';
import { readPage } from '../../server/src/features/discovery/cards.reads.ts';
import { createDb } from '../../server/src/platform/db/db.ts';
import { createPool } from '../../server/src/platform/db/pool.ts';

const viewersWithDecks = 50_000;
const askingViewers = 2000;
const decidedEach = 300;
const likingViewers = 400;

/** Members with decks: some request cards repeatedly, others have not sent their first like yet. */
export interface Viewers {
  asking: string[];
  liking: string[];
}

/**
 * Data that a service has after some years and the demo lacks: learned member scores, up to fifty thousand decks of sixty
 * people whose genders fit both ways, and three hundred earlier decisions for each viewer that requests cards.
 */
export async function fillDecks(url: string, say: (line: string) => void): Promise<Viewers> {
  await spreadScores(url, say);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('set statement_timeout = 0');
  const { rowCount } = await client.query(`select from installation where name = 'bench-decks'`);
  if (rowCount === 0) {
    say('Filling decks …');
    await deal(client);
    const viewers = await fullDecks(url);
    say('Writing a few hundred thousand decisions …');
    await decide(client, viewers);
    await client.query(`insert into installation (name, value) values ('bench-decks', $1)`, [JSON.stringify(viewers)]);
  }
  const { rows } = await client.query<{ ids: string[] }>(
    `select value as ids from installation where name = 'bench-decks'`,
  );
  const ids = rows[0]?.ids ?? [];
  const asking = Math.min(askingViewers, Math.floor(ids.length * 0.75));
  const viewers = { asking: ids.slice(0, asking), liking: ids.slice(asking) };
  // Earlier runs decided about everyone whom these can like.
  await client.query('delete from decision where viewer_id = any ($1::uuid[])', [viewers.liking]);
  await client.query('delete from like_count');
  // A deck of yesterday would be made again.
  await client.query('update deck set made_at = now() where viewer_id = any ($1::uuid[])', [ids]);
  // As autovacuum does in a service: otherwise dead rows of the last run would slow this one down.
  await client.query('vacuum (analyze) deck, discovery_row, decision, standing, presence, session, refresh_token');
  // What was filled is on the disk, so that writing it doesn't hold up what is measured.
  await client.query('checkpoint');
  await client.end();
  return viewers;
}

/**
 * Viewers whose next page is full. Decks here only fit by gender, age and place, and a page of a deck that is nearly used up also asks
 * for the next one, which a service does once, not with each page.
 */
async function fullDecks(url: string): Promise<string[]> {
  const pool = createPool(url);
  const db = createDb(pool);
  const limit = Math.max(cardsMax, deckRules.lowWater);
  try {
    const { rows } = await pool.query<{ id: string }>(
      'select viewer_id as id from deck order by viewer_id limit 10000',
    );
    const full: string[] = [];
    for (const { id } of rows) {
      if (full.length === askingViewers + likingViewers) break;
      const page = await readPage(db, id, { limit, lowWater: deckRules.lowWater, now: new Date() });
      if (page?.fitting === limit) full.push(id);
    }
    return full;
  } finally {
    await pool.end();
  }
}

/** Score buckets on a bell curve, one member in twenty new, and a score for everyone, unless that has happened before. */
export async function spreadScores(url: string, say: (line: string) => void): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('set statement_timeout = 0');
    const { rowCount } = await client.query(`select from installation where name = 'bench-scores'`);
    if (rowCount === 1) return;
    say('Writing learned scores …');
    await client.query('begin');
    await withoutIndexes(client, ['discovery_row'], () => spread(client));
    await client.query(`insert into installation (name, value) values ('bench-scores', '{}')`);
    await client.query('commit');
    await client.query('vacuum (analyze) discovery_row, standing');
  } finally {
    await client.end();
  }
}

async function spread(client: pg.Client): Promise<void> {
  await client.query(
    `update discovery_row set bucket = greatest(0, least(63, round(31 + 14 * (random() + random() + random() - 1.5))))::smallint,
       is_newcomer = random() < 0.05, decisions_received = 10 + 50 * random(), impressions = 10 * random(),
       cards_decided = 60 * random(), pending = (6 * random() ^ 3)::int`,
  );
  await client.query(
    `insert into standing (account_id, gender, appeal, appeal_weight, selectivity, selectivity_weight, learned_at)
     select account_id, g, 2 * (random() - 0.5), 3, 2 * (random() - 0.5), 3, now()
     from discovery_row, unnest(array[1, 2, 4]) as g where seeking & g <> 0 on conflict do nothing`,
  );
}

async function deal(client: pg.Client): Promise<void> {
  await client.query(
    `insert into deck (viewer_id, targets, cards, made_at)
     select v.account_id, d.targets,
       (select jsonb_agg(jsonb_build_object('reasons', jsonb_build_array('goal', 'ages', 'languages'), 'isExploration', false))
         from unnest(d.targets)), now()
     from (select * from discovery_row where visible and last_active_on > current_date - 25
         and account_id > '40000000-0000-0000-0000-000000000000' order by account_id limit $1) v
       cross join lateral (select array(
         select best.account_id from unnest(array[1, 2, 4]::smallint[]) as g
           cross join lateral (select t.account_id, t.bucket from discovery_row t
             where t.cell = v.cell and t.gender = g and t.visible and (v.seeking & g) <> 0 and (t.seeking & v.gender) <> 0
               and t.account_id <> v.account_id and t.last_active_on > current_date - 25
               and (not v.age_required or extract(year from age(t.birth_date)) between v.age_min and v.age_max)
               and (not t.age_required or extract(year from age(v.birth_date)) between t.age_min and t.age_max)
             order by t.bucket desc limit 60) best
         order by best.bucket desc limit 60) as targets) d
     where cardinality(d.targets) = 60
     on conflict (viewer_id) do nothing`,
    [Math.round(viewersWithDecks * 1.6)],
  );
}

/** Decisions about people in the same place who are not in the deck. */
async function decide(client: pg.Client, viewers: string[]): Promise<void> {
  await client.query(
    `insert into decision (viewer_id, target_id, kind, decided_at)
     select v.account_id, t.account_id, case when random() < 0.3 then 'like' else 'pass' end, now() - interval '40 days' * random()
     from (select d.viewer_id as account_id, d.targets, r.cell from deck d join discovery_row r on r.account_id = d.viewer_id
         where d.viewer_id = any ($1::uuid[])) v
       cross join lateral (select account_id from discovery_row t
         where t.visible and t.cell = v.cell and t.account_id <> v.account_id and t.account_id <> all (v.targets)
         limit $2) t
     on conflict do nothing`,
    [viewers, decidedEach],
  );
}
