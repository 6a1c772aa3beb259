import type { FastifyInstance } from 'fastify';
import * as tagCalls from '#contract/moderation/tags.ts';
import * as calls from '#contract/moderation/user-file.ts';
import type { Deps } from '../../../deps.ts';
import { inTransaction } from '#platform/db/db.ts';
import { mount } from '#platform/http/mount.ts';
import { rewriteNote, writeNote } from './notes.ts';
import { readFile } from './read-file.ts';
import { changeTagsOf } from './tag-user.ts';
import { allTags } from './tags.reads.ts';
import { createTag, merge, rename, retire } from './tags.ts';

/** What the team knows about a person: their history, notes and tags. */
export function mountUserFile(app: FastifyInstance, deps: Deps): void {
  const { db } = deps;

  mount(app, deps, calls.getUserFile).to(async (context) => ({
    data: await inTransaction(db, (tx) => readFile({ ...context, tx }, { ...context.params, ...context.query })),
  }));
  mount(app, deps, calls.addNote).to(async (context) => ({
    data: { note: await writeNote(context, { ...context.params, ...context.body }) },
  }));
  mount(app, deps, calls.changeNote).to(async (context) => ({
    data: { note: await rewriteNote(context, { ...context.params, ...context.body }) },
  }));

  mount(app, deps, tagCalls.listTags).to(async ({ caller }) => ({
    data: { tags: await allTags(db, caller) },
  }));
  mount(app, deps, tagCalls.addTag).to(async (context) => ({
    data: { tag: await createTag(context, context.body) },
  }));
  mount(app, deps, tagCalls.renameTag).to(async (context) => ({
    data: { tag: await rename(context, { ...context.params, ...context.body }) },
  }));
  mount(app, deps, tagCalls.mergeTag).to(async (context) => ({
    data: { tag: await merge(context, { ...context.params, ...context.body }) },
  }));
  mount(app, deps, tagCalls.retireTag).to(async (context) => ({
    data: { tag: await retire(context, context.params) },
  }));
  mount(app, deps, tagCalls.tagUser).to(async (context) => ({
    data: { tags: await changeTagsOf(context, { ...context.params, ...context.body }) },
  }));
}
