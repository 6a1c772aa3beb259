import { msg } from '@lingui/core/runtime-macro';
import { type Selectable, sql } from 'kysely';
import type { BodyOf, ParamsOf } from '#contract/endpoint.ts';
import type { Language } from '#contract/languages.ts';
import type { AuditAction } from '#contract/moderation/audit.ts';
import type * as calls from '#contract/moderation/templates.ts';
import { replyTemplatesMax, templateProblem } from '#contract/moderation/templates.ts';
import { actorOf, audit } from '#platform/db/audit.ts';
import type { Db } from '#platform/db/db.ts';
import type { Database } from '#platform/db/schema.ts';
import { AppError, invalid, notFound } from '#platform/http/app-error.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { requireOwnLinks } from '#platform/http/own-links.ts';

type TemplateRow = Selectable<Database['reply_template']>;

/** The columns of a template as staff see it. */
const columns = [
  ...(['id as _id', 'version', 'kind', 'language', 'name', 'body as text'] as const),
  ...(['created_at as createdAt', 'created_by as createdBy'] as const),
];

/** The templates in their current version, by name. */
export async function currentTemplates(db: Db) {
  return await db
    .selectFrom('reply_template')
    .select(columns)
    .where('replaced_at', 'is', null)
    .orderBy(sql`name collate "und-x-icu"`)
    .execute();
}

type Texts = Pick<BodyOf<typeof calls.addReplyTemplate>, 'name' | 'text'>;

/** Writes an audit row about the version of a template; null before the first one and after the last. */
async function record(
  context: CommandContext,
  action: AuditAction,
  { id, from, to }: { id: string; from: Texts | null; to: Texts | null },
): Promise<void> {
  const field = (name: 'name' | 'text') => ({ from: from?.[name] ?? null, to: to?.[name] ?? null });
  await audit(context, { type: 'template', id }, action, { changes: { name: field('name'), text: field('text') } });
}

/** Keeps others from writing templates until the transaction ends. */
const lockTemplates = (tx: Db) => sql`lock table reply_template in share row exclusive mode`.execute(tx);

/** Throws 409 if the name is in use in this language, or if a new template (null) would be one too many. */
async function checkRoom(
  tx: Db,
  { name, language, templateId }: { name: string; language: Language; templateId: string | null },
): Promise<void> {
  const { rows } = await sql<{ is_taken: boolean; others: number }>`
    select coalesce(bool_or(folded(name) = folded(${name})), false) as is_taken, count(*)::int as others
    from reply_template where replaced_at is null and language = ${language} and template_id is distinct from ${templateId}::uuid`.execute(
    tx,
  );
  if (rows[0]?.is_taken === true) throw invalid('name', msg`There is already a template with this name`, 'CONFLICT');
  if (templateId === null && (rows[0]?.others ?? 0) >= replyTemplatesMax)
    throw new AppError(
      'CONFLICT',
      msg`There are already ${{ replyTemplatesMax }} templates in this language. Retire one that is not used.`,
    );
}

async function insertVersion(
  { tx, deps, caller, now }: CommandContext,
  { name, text }: Texts,
  of: Pick<TemplateRow, 'version' | 'kind' | 'language'> & { template_id?: string },
) {
  requireOwnLinks('text', text, deps.config);
  return await tx
    .insertInto('reply_template')
    .values({ ...of, name, body: text, created_at: now, created_by: actorOf(caller).name, replaced_at: null })
    .returning(columns)
    .executeTakeFirstOrThrow();
}

/** Adds a template. Throws 400 for links to other sites, since many would send them, and 409 if the name is in use or there are too many templates. */
export async function addTemplate(context: CommandContext, given: BodyOf<typeof calls.addReplyTemplate>) {
  const { tx } = context;
  const { name, kind = 'reply', language = 'en' } = given;
  await lockTemplates(tx);
  await checkRoom(tx, { name, language, templateId: null });
  const created = await insertVersion(context, given, { version: 1, kind, language });
  await record(context, 'template.added', { id: created._id, from: null, to: given });
  return created;
}

/** Ends the version that the caller saw and returns it. Throws 404, and 409 if there is a newer version or the template was retired. */
async function endVersion({ tx, now }: CommandContext, id: string): Promise<TemplateRow> {
  await lockTemplates(tx);
  const old = await tx.selectFrom('reply_template').selectAll().where('id', '=', id).executeTakeFirst();
  if (old === undefined) throw notFound();
  if (old.replaced_at !== null)
    throw new AppError('CONFLICT', msg`A colleague has just changed or retired this template`);
  await tx.updateTable('reply_template').set({ replaced_at: now }).where('id', '=', id).execute();
  return old;
}

/** Gives a template a new version. Throws 404, 409, and 400 for links to other sites or a variable that its kind doesn't have. */
export async function changeTemplate(
  context: CommandContext,
  given: ParamsOf<typeof calls.changeReplyTemplate> & BodyOf<typeof calls.changeReplyTemplate>,
) {
  const { template_id, version, kind, language, name, body } = await endVersion(context, given.id);
  const problem = templateProblem(given.text, kind);
  if (problem !== null) throw invalid('text', problem);
  await checkRoom(context.tx, { name: given.name, language, templateId: template_id });
  const created = await insertVersion(context, given, { template_id, version: version + 1, kind, language });
  await record(context, 'template.changed', { id: created._id, from: { name, text: body }, to: given });
  return created;
}

/** Retires a template. Throws 404 and 409. */
export async function retireTemplate(context: CommandContext, { id }: { id: string }): Promise<void> {
  const { name, body } = await endVersion(context, id);
  await record(context, 'template.retired', { id, from: { name, text: body }, to: null });
}
