import { createHash } from 'node:crypto';
import pg from 'pg';
import { copyRows } from '../../server/src/platform/db/copy-rows.ts';
import { demoPlaceholder } from '../../demo/pictures/demo-picture.ts';
import { pictureKey } from '../../demo/pictures/storage.ts';
import { withoutIndexes } from '../../demo/seed.ts';
import { withoutTriggers } from '../../demo/without-triggers.ts';
import { demoAnswers } from '../../demo/members/tables.ts';

/** Members share these files, so that a large database does not need as many of them. */
const sharedFiles = 60;
const sharedSheets = 500;
const likesEach = 4;
/** One member in this many has a conversation, with this many messages. */
const conversationShare = 20;
const messagesEach = 10;
const sampleTexts = 200;

/**
 * Gives all members what a large demo leaves out: two to six pictures, compatibility answers, decisions, matches and conversations. All by
 * `insert … select`, and pictures written to the profiles at once, as the triggers would write them.
 */
export async function fillContent(url: string, say: (line: string) => void): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('set statement_timeout = 0');
    const { rowCount } = await client.query(`select from installation where name = 'bench-content'`);
    if (rowCount === 1) return;
    await client.query('begin');
    for (const [what, fill] of Object.entries({ pictures, answers, decisions, conversations })) {
      const started = performance.now();
      await fill(client);
      say(`  ${what}: ${Math.round((performance.now() - started) / 1000)} s`);
    }
    await client.query(`insert into installation (name, value) values ('bench-content', '{}')`);
    await client.query('commit');
    await client.query(
      'vacuum (analyze) account, presence, directory, picture, profile, answer_sheet, decision, match, conversation, message, discovery_row',
    );
  } finally {
    await client.end();
  }
}

/** The ids begin with ffff, which `multiplyMembers` replaces in copies. */
async function pictures(client: pg.Client): Promise<void> {
  await client.query(
    'create temp table shared_file (n int, object_key text, size int, placeholder text, sha256 bytea) on commit drop',
  );
  const files = Array.from({ length: sharedFiles }, (_, n) => {
    const drawn = { seed: n, kind: n % 3 === 0 ? 'portrait' : 'place', gender: 'woman', age: 20 + n } as const;
    const sha256 = createHash('sha256').update(`bench ${n}`).digest();
    const placeholder = demoPlaceholder(drawn);
    return { n, object_key: pictureKey(drawn), size: 60_000 + 4000 * n, placeholder, sha256 };
  });
  await copyRows(client, 'shared_file', files);
  await withoutIndexes(client, ['picture'], () =>
    withoutTriggers(client, 'picture', async () => {
      await client.query(`
        insert into picture (id, public_id, account_id, object_key, name, size, width, height, placeholder, sha256, dhash, state, place,
          uploaded_at, claimed_at, decided_at)
        select ('ffff' || substr(gen_random_uuid()::text, 5))::uuid,
          encode(substr(sha256(convert_to(a.id::text || place, 'UTF8')), 1, 16), 'hex'), a.id, f.object_key, 'IMG_2041.jpg', f.size,
          1200, 1500, f.placeholder, f.sha256, 0, 'approved', place, a.created_at, a.created_at, a.created_at
        from account a join profile p on p.account_id = a.id and cardinality(p.seeking) > 0
          cross join lateral generate_series(0, 1 + abs(hashtext(a.id::text)) % 5) place
          join shared_file f on f.n = abs(hashtext(a.id::text || place)) % ${sharedFiles}`);
    }),
  );
  await client.query('analyze picture');
  await withoutTriggers(client, 'profile', async () => {
    await client.query(`
      update profile f set pictures = n.pictures, picture_count = n.standing
      from (
        select account_id, count(*) as standing,
          jsonb_agg(jsonb_build_object('id', id, 'publicId', public_id, 'key', object_key, 'name', name, 'size', size, 'width', width,
            'height', height, 'placeholder', placeholder, 'state', state, 'place', place) order by place) as pictures
        from picture group by account_id) n
      where f.account_id = n.account_id`);
  });
}

async function answers(client: pg.Client): Promise<void> {
  await client.query('create temp table shared_sheet (n int, answers jsonb) on commit drop');
  const sheets = Array.from({ length: sharedSheets }, (_, n) => ({ n, answers: JSON.stringify(demoAnswers(n)) }));
  await copyRows(client, 'shared_sheet', sheets);
  await client.query(`
    insert into answer_sheet (account_id, answers, updated_at, counted, counted_on)
    select r.account_id, s.answers, now(), s.answers, current_date
    from discovery_row r join shared_sheet s on s.n = abs(hashtext(r.account_id::text)) % ${sharedSheets} and s.answers <> '{}'
    on conflict do nothing`);
}

/** Decisions of each member about their neighbours in the same cell. */
async function decisions(client: pg.Client): Promise<void> {
  await withoutIndexes(client, ['decision'], async () => {
    await client.query(`
      insert into decision (viewer_id, target_id, kind, decided_at, is_pending)
      select viewer, target, case when is_like then 'like' else 'pass' end, now() - interval '90 days' * random() - interval '1 day', is_like
      from (select account_id as viewer, step, abs(hashtext(account_id::text || step)) % 3 = 0 as is_like,
          lead(account_id, step) over (partition by cell, step order by account_id) as target
        from discovery_row cross join generate_series(1, ${likesEach}) step where visible) drawn
      where target is not null on conflict do nothing`);
  });
}

async function conversations(client: pg.Client): Promise<void> {
  await withoutIndexes(client, ['match', 'conversation'], () =>
    withoutTriggers(client, 'match', async () => {
      await client.query(`
        insert into match (low_id, high_id, matched_at)
        select least(account_id, other), greatest(account_id, other), now() - interval '40 days' * random()
        from (select account_id, lead(account_id, 7) over (partition by cell order by account_id) as other
          from discovery_row where visible) pairs
        where other is not null and abs(hashtext(account_id::text)) % ${conversationShare} = 0
          and not exists (select from block where (blocker_id, blocked_id) in ((account_id, other), (other, account_id)))
        on conflict do nothing`);
    }),
  );
  await client.query(`
    insert into conversation (id, low_id, high_id, began_at, last_seq, last_at, low_read, high_read, opened_by, is_answered)
    select id, low_id, high_id, matched_at, ${messagesEach}, matched_at + interval '1 day', ${messagesEach}, ${messagesEach}, low_id, true
    from match on conflict do nothing`);
  await client.query(`
    insert into message (conversation_id, seq, sender_id, client_id, body, sent_at, read_at)
    select c.id, seq, case when seq % 2 = 1 then c.low_id else c.high_id end, c.id || '-' || seq,
      repeat('Words to each other. ', 1 + (abs(hashtext(c.id::text || seq)) % ${sampleTexts}) / 20), c.began_at + seq * interval '1 hour', now()
    from conversation c cross join generate_series(1, ${messagesEach}) seq on conflict do nothing`);
}
