import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { sendMessage } from '#contract/messages/messages.ts';
import { decideCase } from '#contract/moderation/cases.ts';
import { markEmergency } from '#contract/moderation/emergencies.ts';
import { expect } from 'vitest';
import { makeAdministrator, makeMember, signIn, type TestMember } from '../factories.ts';
import type { TestApp } from '../harness.ts';
import { holdAccount } from './holds.ts';
import { likesIn, placeMatch } from '../likes.ts';
import { caseIdOf, currentRuleId, fileReport } from './reports.ts';

/** The measures that withhold messages; the first is the temporary restriction of an emergency. */
export const withholdingKinds = ['interim', 'warn', 'limit_messaging', 'hide_profile', 'suspend'] as const;
export type WithholdingKind = (typeof withholdingKinds)[number];

/** What a person sent while held: a like to one person, and a first message to another. */
export interface HeldWords {
  liked: TestMember;
  matchId: string;
}

const facts = 'Asked four people for money after a week of messages.';

/** Held people and the decisions of staff about them. */
export async function withheldIn(app: TestApp) {
  const { like } = likesIn(() => app);
  const administrator = await makeAdministrator(app);
  const ruleId = await currentRuleId(app);
  const member = () => makeMember(app, { createdAt: new Date('2026-01-01T00:00:00.000Z') });
  const asStaff = (id: string) => ({ token: administrator.token, params: { id } });
  const violation = (kind: Exclude<WithholdingKind, 'interim'>) => ({
    ...{ outcome: 'actioned' as const, ruleId, facts },
    sanctions: [{ kind, ...(kind !== 'warn' && { days: 3 }) }],
  });
  return {
    member,
    asStaff,
    /** Advances the clock and runs the server's work of each minute. Sessions expire meanwhile, so these people sign in again. */
    later: async (hours: number, ...people: TestMember[]): Promise<void> => {
      app.clock.advance(hours * 3600);
      for (const task of ['holds.expire', 'cases.endSanctions'])
        await app.app.background.tasks[task]?.({}, undefined as never);
      for (const one of [administrator, ...people])
        Object.assign(one, await signIn(app, one.id, one === administrator));
    },
    /** Files a report about someone; returns the case's id. */
    report: async (person: TestMember): Promise<string> => {
      const about = { problem_type: 'Harassment' as const, reportedUser: person.id };
      return await caseIdOf(app, (await fileReport(app, await member(), about))._id);
    },
    /** Holds a person, and lets them send a like and a first message. */
    sendHeld: async (person: TestMember): Promise<HeldWords> => {
      const [liked, reader] = [await member(), await member()];
      const matchId = await placeMatch(app, person, reader);
      await holdAccount(app, person);
      await like(person, liked, { note: 'I know where you live' });
      const body = { clientId: randomUUID(), text: 'I know where you live' };
      await app.call(sendMessage, { token: person.token, params: { id: matchId }, body });
      return { liked, matchId };
    },
    /** Whether the messages of a hold were delivered: both or none. Others may not see them while their sender is hidden. */
    isDelivered: async ({ liked, matchId }: HeldWords): Promise<boolean> => {
      const { rows } = await sql<{ like: boolean; message: boolean }>`
        select exists (select from decision where target_id = ${liked.id}::uuid and kind = 'like') as like,
          exists (select from message where conversation_id = ${matchId}::uuid) as message`.execute(app.db);
      expect(rows[0]?.like).toBe(rows[0]?.message);
      return rows[0]?.like === true;
    },
    /** Decides a case; with null, the decision is that there was no violation. */
    decide: (caseId: string, kind: Exclude<WithholdingKind, 'interim'> | null) =>
      app.call(decideCase, {
        ...asStaff(caseId),
        body: kind === null ? { outcome: 'no_violation' } : violation(kind),
      }),
    restrict: (caseId: string) =>
      app.call(markEmergency, { ...asStaff(caseId), body: { kind: 'extortion', ruleId, facts } }),
    /** The newest sanction of a person, with its decision. */
    lastSanction: async ({ id }: TestMember): Promise<{ id: string; decision_id: string | null }> =>
      await app.db
        .selectFrom('sanction')
        .select(['id', 'decision_id'])
        .where('account_id', '=', id)
        .orderBy('starts_at', 'desc')
        .limit(1)
        .executeTakeFirstOrThrow(),
  };
}
