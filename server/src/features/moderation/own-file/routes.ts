import { msg } from '@lingui/core/runtime-macro';
import type { FastifyInstance } from 'fastify';
import { fileDaysMax, getOwnFile } from '#contract/moderation/own-file.ts';
import type { Deps } from '../../../deps.ts';
import { mount } from '#platform/http/mount.ts';
import { requireMember } from '#platform/session/caller.ts';
import { ownFile } from './own-file.reads.ts';

/** Mounts what members see of staff who opened their account. */
export function mountOwnFile(app: FastifyInstance, deps: Deps): void {
  mount(app, deps, getOwnFile).to(async ({ caller }) => {
    requireMember(caller, msg`Only members have a file`);
    return { data: { days: await ownFile(deps.db, caller.accountId, fileDaysMax) } };
  });
}
