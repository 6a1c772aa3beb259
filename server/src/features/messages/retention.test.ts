import { beforeAll, expect, test } from 'vitest';
import { conversationKeptDays } from '#contract/constants.ts';
import { createReport } from '#contract/moderation/reports.ts';
import { makeAdministrator, makeMember, type TestMember } from '../../../test/factories.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { likesIn, placeMatch } from '../../../test/likes.ts';
import { placeMessage } from '../../../test/messages.ts';
import { fileOf } from '../../../test/reports.ts';

const app = startAppForTests();
let ada: TestMember;
beforeAll(async () => {
  ada = await makeMember(app);
});

const { unmatch } = likesIn(() => app);
const cleanUp = () => app.app.background.tasks['messages.cleanUp']?.({}, {} as never);
const agoMs = (days: number) => app.clock.now().getTime() - days * 86_400_000;

/** A conversation of Ada's with one message that was changed. It ended this many days ago, or not at all. */
async function conversation(endedDaysAgo: number | null, word = 'Hello'): Promise<string> {
  const bo = await makeMember(app);
  const id = await placeMatch(app, ada, bo);
  await placeMessage(app, id, bo, word);
  await app.db
    .insertInto('message_trace')
    .values({ conversation_id: id, seq: 1, replaced_at: app.clock.now(), body: `${word} before` })
    .execute();
  if (endedDaysAgo === null) return id;
  await unmatch(bo, id);
  const ended_at = new Date(agoMs(endedDaysAgo));
  await app.db.updateTable('conversation').set({ ended_at }).where('id', '=', id).execute();
  return id;
}

async function kept(table: 'conversation' | 'message' | 'message_trace'): Promise<number> {
  const { n } = await app.db
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<string>().as('n'))
    .executeTakeFirstOrThrow();
  return Number(n);
}

test('the cleanup deletes messages half a year after the match ended, and not earlier', async () => {
  await conversation(null);
  await conversation(conversationKeptDays - 0.01);
  const gone = await conversation(conversationKeptDays);
  await cleanUp();
  expect([await kept('conversation'), await kept('message'), await kept('message_trace')]).toEqual([2, 2, 2]);
  const left = await app.db.selectFrom('conversation').select('id').where('id', '=', gone).execute();
  expect(left).toEqual([]);
});

test('the cleanup deletes any number of messages in batches', async () => {
  const [bo, before] = [await makeMember(app), await kept('conversation')];
  await app.pool.query(
    `insert into conversation (id, low_id, high_id, began_at, last_at, ended_at)
      select gen_random_uuid(), least($1::uuid, $2::uuid), greatest($1::uuid, $2::uuid), $3, $3, $3
      from generate_series(1, 130)`,
    [ada.id, bo.id, new Date(agoMs(400))],
  );
  await cleanUp();
  expect(await kept('conversation')).toBe(before);
});

test('the cleanup keeps the copies in reports', async () => {
  const id = await conversation(conversationKeptDays, 'CANARYWORD');
  const body = {
    problem_type: 'Harassment' as const,
    description: 'Text',
    evidence: [{ type: 'message' as const, id }],
  };
  const filed = await app.call(createReport, { token: ada.token, body });
  await cleanUp();
  const { evidence } = await fileOf(app, await makeAdministrator(app), filed.body.data.report._id);
  expect(evidence[0]?.messages.map(({ text, before }) => [text, before.length])).toEqual([['CANARYWORD', 1]]);
  const again = await app.call(createReport, { token: ada.token, body });
  expect(again.status).toBe(201);
  const second = await fileOf(app, await makeAdministrator(app), again.body.data.report._id);
  expect(second.evidence).toEqual([]);
});
