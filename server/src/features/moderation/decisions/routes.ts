import type { FastifyInstance } from 'fastify';
import * as calls from '#contract/moderation/decisions.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import type { Rule } from '#contract/moderation/decision.ts';
import type { Deps } from '../../../deps.ts';
import { actorOf, writeAudit } from '../../../platform/db/audit.ts';
import { type Db, inTransaction } from '../../../platform/db/db.ts';
import { AppError, notFound } from '../../../platform/http/app-error.ts';
import { mount } from '../../../platform/http/mount.ts';
import type { Caller } from '../../../platform/session/caller.ts';
import { isUuid } from '../../../platform/db/uuid.ts';
import { decide } from './decide.ts';
import { currentRules, noticesFor, toRule } from './decisions.reads.ts';
import { acknowledge, revoke } from './sanctions.ts';

/** Decisions with reasons, their sanctions and the rules behind them; and what members see of them. */
export function mountDecisions(app: FastifyInstance, deps: Deps): void {
  const { db, appealKey, banKey, addressKey } = deps;

  mount(app, deps, calls.decideCase).to(async ({ tx, caller, params, body, now }) => ({
    data: await decide(tx, caller, params.id, body, { now, appealKey, banKey, addressKey }),
  }));
  mount(app, deps, calls.revokeSanction).to(async ({ caller, params, body, now }) => ({
    data: { sanction: await revoke(db, caller, params.id, body.reason, now) },
  }));
  mount(app, deps, calls.listRules).to(async () => ({ data: { rules: await currentRules(db) } }));
  mount(app, deps, calls.changeRule).to(async ({ caller, params, body, now }) => ({
    data: { rule: await changeRule(db, caller, params.id, body, now) },
  }));
  mount(app, deps, calls.listNotices).to(async ({ caller, now }) => ({
    data: { notices: await noticesFor(db, caller.accountId, deps.mediaAddresses, now) },
  }));
  mount(app, deps, calls.acknowledgeWarning).to(async ({ caller, params, now }) => ({
    data: { notices: await acknowledge(db, caller, params.id, deps.mediaAddresses, now) },
  }));
}

/** Gives a rule a new version. 404; 409 if it has a newer one than the caller saw. */
async function changeRule(
  db: Db,
  caller: Caller,
  id: string,
  { title, text }: BodyOf<typeof calls.changeRule>,
  now: Date,
): Promise<Rule> {
  if (!isUuid(id)) throw notFound();
  return await inTransaction(db, async (tx) => {
    const old = await tx.selectFrom('community_rule').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
    if (old === undefined) throw notFound();
    if (old.replaced_at !== null) throw new AppError('CONFLICT', 'A colleague has just changed this rule');
    if (old.title === title && old.body === text) return toRule(old);
    await tx.updateTable('community_rule').set({ replaced_at: now }).where('id', '=', id).execute();
    const created = await tx
      .insertInto('community_rule')
      .values({
        clause: old.clause,
        version: old.version + 1,
        title,
        body: text,
        created_at: now,
        created_by: actorOf(caller).name,
        replaced_at: null,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    const changes = { title: { from: old.title, to: title }, text: { from: old.body, to: text } };
    const target = { type: 'rule' as const, id: created.id };
    await writeAudit(tx, { actor: actorOf(caller), action: 'rule.changed', target, changes }, now);
    return toRule(created);
  });
}
