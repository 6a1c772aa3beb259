import { sql } from 'kysely';
import { emit } from '../../server/src/features.ts';
import { installationSecret } from '../../server/src/platform/config/secrets.ts';
import type { Db } from '../../server/src/platform/db/db.ts';
import { createAccessTokens } from '../../server/src/platform/session/access-tokens.ts';
import { openSession } from '../../server/src/platform/session/sessions.ts';
import { openDevice, type ChatDevice } from './chat-device.ts';

/** A conversation of two members. */
export interface Chat {
  /** One device of the first member and two of the second. */
  devices: ChatDevice[];
  /** The texts that were acknowledged, or are being sent. */
  written: Set<string>;
}

/** Access tokens of demo members who can be discovered, valid for 15 minutes, with their ids. */
export async function demoTokens(db: Db, count: number): Promise<{ id: string; token: string }[]> {
  const tokens = createAccessTokens(await installationSecret(db, 'jwt', null));
  const people = await db
    .selectFrom('directory')
    .innerJoin('account', 'account.id', 'directory.account_id')
    .select('account.id')
    .where('is_shown', '=', true)
    .where('staff_role', 'is', null)
    .where('account.created_at', '<', new Date(Date.now() - 86_400_000))
    .orderBy('account.id')
    .limit(count)
    .execute();
  const device = { name: 'Prove', network: null };
  return await Promise.all(
    people.map(async ({ id }) => {
      const { token } = await openSession(db, { id, isStaff: false }, device, { tokens, now: new Date() });
      return { id, token };
    }),
  );
}

/** New matches between demo members, in place of any that they had. */
export async function openChats(db: Db, origin: string, pairs: number): Promise<Chat[]> {
  const people = await demoTokens(db, 2 * pairs);
  return await Promise.all(
    Array.from({ length: pairs }, async (_, index): Promise<Chat> => {
      const [one, other] = [people[2 * index], people[2 * index + 1]];
      if (one === undefined || other === undefined) throw new Error('there are too few demo members');
      for (const table of ['conversation', 'match'] as const)
        await db.deleteFrom(table).where('low_id', '=', one.id).where('high_id', '=', other.id).execute();
      await sql`delete from block
        where (blocker_id, blocked_id) in ((${one.id}::uuid, ${other.id}::uuid), (${other.id}::uuid, ${one.id}::uuid))`.execute(
        db,
      );
      const { id } = await db
        .insertInto('match')
        .values({ low_id: one.id, high_id: other.id, matched_at: new Date() })
        .returning('id')
        .executeTakeFirstOrThrow();
      await emit(db, 'matched', { matchId: id });
      const devices = [one.token, other.token, other.token].map((token) => openDevice(origin, token, id));
      return { devices, written: new Set() };
    }),
  );
}

/** How many messages were written, are missing, appear twice or were never sent, and in how many chats the devices differ. */
export function compareDevices(chats: Chat[]) {
  const lists = chats.map(({ devices }) => devices.map((device) => device.texts()));
  const all = chats.map(({ written }) => written);
  const sum = (count: (list: string[], index: number) => number) =>
    lists.reduce((total, [list = []], index) => total + count(list, index), 0);
  return {
    written: all.reduce((total, { size }) => total + size, 0),
    lost: sum((list, index) => [...(all[index] ?? [])].filter((text) => !list.includes(text)).length),
    doubled: sum((list) => list.length - new Set(list).size),
    ghosts: sum((list, index) => list.filter((text) => all[index]?.has(text) !== true).length),
    others: lists.filter(([first, ...rest]) => rest.some((list) => list.join('\n') !== first?.join('\n'))).length,
  };
}
