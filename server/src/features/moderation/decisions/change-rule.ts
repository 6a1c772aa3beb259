import { msg } from '@lingui/core/runtime-macro';
import type { BodyOf, ParamsOf } from '#contract/endpoint.ts';
import type * as calls from '#contract/moderation/decisions.ts';
import { actorOf, audit } from '#platform/db/audit.ts';
import { AppError, notFound } from '#platform/http/app-error.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { requireOwnLinks } from '#platform/http/own-links.ts';
import { ruleColumns } from './decisions.reads.ts';

/** Gives a rule a new version. Throws 400 for links to other sites, since decisions quote it, 404, and 409 if there is a newer version than the caller saw. */
export async function changeRule(
  { tx, deps, caller, now }: CommandContext,
  { id, title, text }: ParamsOf<typeof calls.changeRule> & BodyOf<typeof calls.changeRule>,
) {
  requireOwnLinks('title', title, deps.config);
  requireOwnLinks('text', text, deps.config);
  const found = await tx
    .selectFrom('community_rule')
    .select([...ruleColumns, 'replaced_at'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (found === undefined) throw notFound();
  const { replaced_at, ...old } = found;
  if (replaced_at !== null) throw new AppError('CONFLICT', msg`A colleague has just changed this rule`);
  if (old.title === title && old.text === text) return old;
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
    .returning(ruleColumns)
    .executeTakeFirstOrThrow();
  const changes = { title: { from: old.title, to: title }, text: { from: old.text, to: text } };
  await audit({ tx, caller, now }, { type: 'rule', id: created._id }, 'rule.changed', { changes });
  return created;
}
