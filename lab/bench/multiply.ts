import pg from 'pg';
import { rowsOf } from '../product.ts';

/** The columns that differ in copy `k` of a member's row, each with an SQL expression. */
type Changes = Record<string, string>;

/** The id of a member's copy `k`, with the ending of all demo members' ids. */
const copyOf = (column: string) => `(left(md5(${column}::text || k), 20) || right(${column}::text, 12))::uuid`;
const ofMember: Changes = { account_id: copyOf('account_id') };
const ofPair: Changes = {
  low_id: `least(${copyOf('low_id')}, ${copyOf('high_id')})`,
  high_id: `greatest(${copyOf('low_id')}, ${copyOf('high_id')})`,
};

/** A number from 0 to 1 that is always the same for a copy of a row. */
const share = (id: string) => `(abs(hashint8(hashtext(${id}::text)::bigint * 1000 + k)) / 2147483648.0)`;
/** Another time in the same month, so that copies aren't next to each other in lists but count in the same months. */
const sameMonth = (time: string, id: string) =>
  `date_trunc('month', ${time}) + (${time} - date_trunc('month', ${time})) * ${share(id)}`;
const withCopy = (address: string) => `replace(${address}, '@', '-' || k || '@')`;

const listed = { ...ofMember, search_text: withCopy('search_text'), created_at: sameMonth('created_at', 'account_id') };

/** The tables that grow with the members. Decisions, matches and conversations are between members of the same copy. */
const tables: Record<string, Changes> = {
  account: { id: copyOf('id'), email: withCopy('email'), created_at: sameMonth('created_at', 'id') },
  subscription: { ...ofMember, id: 'gen_random_uuid()', provider_id: `provider_id || '_' || k` },
  presence: {
    ...ofMember,
    last_active_at: `case when online then last_active_at else last_active_at - ${share('account_id')} * interval '12 hours' end`,
  },
  profile: {
    ...ofMember,
    // Contains the ids of the copied pictures.
    pictures: `(select coalesce(jsonb_agg(one || jsonb_build_object('id', ${copyOf(`(one ->> 'id')`)}) order by place), '[]')
      from jsonb_array_elements(pictures) with ordinality as list (one, place))`,
  },
  consent: ofMember,
  entitlement: ofMember,
  directory: listed,
  online_member: listed,
  discovery_row: {
    ...ofMember,
    joined_at: sameMonth('joined_at', 'account_id'),
    // A random bucket, because otherwise decks would contain copies of few people.
    bucket: `(17 + 28 * ${share('account_id')})::smallint`,
  },
  standing: ofMember,
  picture: { ...ofMember, id: copyOf('id'), public_id: `md5(public_id || k)` },
  answer_sheet: ofMember,
  decision: { viewer_id: copyOf('viewer_id'), target_id: copyOf('target_id') },
  match: { ...ofPair, id: copyOf('id') },
  conversation: { ...ofPair, id: copyOf('id'), opened_by: copyOf('opened_by') },
  message: { conversation_id: copyOf('conversation_id'), sender_id: copyOf('sender_id') },
};
const names = Object.keys(tables);
/** Tables that others refer to, so that they can't be emptied. */
const referredTo = new Set(['account', 'subscription']);
/** Tables that refer to messages and are empty in the filled database. */
const emptyToo = ['message_trace', 'meeting_answer', 'held_message', 'message_media', 'message_reaction', 'goodbye'];
/** Counters of reports, which are not copied. */
const countsOfReports = 'report%';

/**
 * Adds copies of all members of a database, with everything that grows with them, as the superuser at `url`, unless it was done before.
 * All happens in one transaction. Rows are copied without triggers, so counters are multiplied; indexes are built afterwards, because
 * sorting once is faster.
 */
export async function multiplyMembers(url: string, copies: number, say: (line: string) => void): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('set statement_timeout = 0');
    if ((await rowsOf(client, `select from installation where name = 'bench-copies'`)).length > 0) return;
    say(`Copying them ${copies} times …`);
    await client.query('select logic.statistic_fold()');
    await client.query('begin');
    await client.query('set local session_replication_role = replica');
    for (const name of names) await client.query(`create temp table before_${name} on commit drop as table ${name}`);
    await client.query(`truncate ${[...names.filter((name) => !referredTo.has(name)), ...emptyToo].join(', ')}`);
    // An index that isn't ready gets no rows until it is rebuilt.
    await client.query(
      `update pg_index set indisready = false, indisvalid = false where indrelid = any ($1::regclass[])`,
      [names],
    );
    for (const [name, changes] of Object.entries(tables)) await copyRowsOf(client, name, changes, copies);
    for (const name of names) await client.query(`reindex table ${name}`);
    await client.query(`update statistic set value = value * ($1::int + 1) where kind not like $2`, [
      copies,
      countsOfReports,
    ]);
    await client.query(`insert into installation (name, value) values ('bench-copies', to_jsonb($1::int))`, [copies]);
    await client.query('commit');
    await client.query(`vacuum (analyze) ${[...names, 'statistic'].join(', ')}`);
  } finally {
    await client.end();
  }
}

async function copyRowsOf(client: pg.Client, name: string, changes: Changes, copies: number): Promise<void> {
  const rows = await rowsOf<{ column: string }>(
    client,
    `select attname as column from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''
     order by attnum`,
    [name],
  );
  const columns = rows.map(({ column }) => column);
  const values = columns.map((column) => changes[column] ?? column);
  if (!referredTo.has(name))
    await client.query(`insert into ${name} (${columns.join(', ')}) select ${columns.join(', ')} from before_${name}`);
  await client.query(
    `insert into ${name} (${columns.join(', ')})
     select ${values.join(', ')} from generate_series(1, ${copies}) k cross join before_${name}`,
  );
}
