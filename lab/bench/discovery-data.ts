import pg from 'pg';

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
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('set statement_timeout = 0');
  const { rowCount } = await client.query(`select from installation where name = 'bench-decks'`);
  if (rowCount === 0) {
    say('Writing learned scores …');
    await spread(client);
    say('Filling decks …');
    await deal(client);
    say('Writing a few hundred thousand decisions …');
    await decide(client);
    await client.query(`insert into installation (name, value) values ('bench-decks', '{}')`);
    await client.query(
      `update exposure e set expected = d.n from (select t, 60 * count(*)::int as n from deck, unnest(targets) t group by t) d where d.t = member_id`,
    );
  }
  // As autovacuum does in a service: otherwise dead rows of the last run would slow this one down.
  await client.query(
    'vacuum (analyze) deck, discovery_row, decision, standing, exposure, presence, session, refresh_token',
  );
  await client.query('delete from like_count');
  const { rows } = await client.query<{ id: string }>('select viewer_id as id from deck order by viewer_id limit $1', [
    askingViewers + likingViewers,
  ]);
  await client.end();
  const ids = rows.map(({ id }) => id);
  const asking = Math.min(askingViewers, Math.floor(ids.length * 0.75));
  return { asking: ids.slice(0, asking), liking: ids.slice(asking) };
}

/** Score buckets on a bell curve, one member in twenty new, and a score for everyone. */
async function spread(client: pg.Client): Promise<void> {
  const names = ['discovery_best', 'discovery_newcomers'];
  const { rows: indexes } = await client.query<{ definition: string }>(
    'select pg_get_indexdef(name::regclass) as definition from unnest($1::text[]) as name',
    [names],
  );
  await client.query('begin');
  await client.query(`drop index ${names.join(', ')}`);
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
  for (const { definition } of indexes) await client.query(definition);
  await client.query('commit');
  await client.query('vacuum (analyze) discovery_row, standing');
}

async function deal(client: pg.Client): Promise<void> {
  await client.query(
    `insert into deck (viewer_id, targets, cards, expected, made_at)
     select v.account_id, d.targets,
       (select jsonb_agg(jsonb_build_object('reasons', jsonb_build_array('goal', 'ages', 'languages'), 'isExploration', false))
         from unnest(d.targets)), array_fill(60::smallint, array[60]), now()
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
async function decide(client: pg.Client): Promise<void> {
  await client.query(
    `insert into decision (viewer_id, target_id, kind, decided_at)
     select v.account_id, t.account_id, case when random() < 0.3 then 'like' else 'pass' end, now() - interval '40 days' * random()
     from (select d.viewer_id as account_id, d.targets, r.cell from deck d join discovery_row r on r.account_id = d.viewer_id
         order by d.viewer_id limit $1) v
       cross join lateral (select account_id from discovery_row t
         where t.visible and t.cell = v.cell and t.account_id <> v.account_id and t.account_id <> all (v.targets)
         limit $2) t
     on conflict do nothing`,
    [askingViewers, decidedEach],
  );
}
