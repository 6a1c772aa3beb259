import type { FastifyInstance } from 'fastify';
import { listAudit } from '#contract/moderation/audit.ts';
import type { Deps } from '../../../deps.ts';
import { mount } from '../../../platform/http/mount.ts';
import { openAuditPage } from './audit.ts';

/** The audit log, for administrators. */
export function mountAudit(app: FastifyInstance, deps: Deps): void {
  mount(app, deps, listAudit).to(async ({ caller, query, now }) => ({
    data: await openAuditPage(deps.db, caller, query, now),
  }));
}
