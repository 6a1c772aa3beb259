import type { FastifyInstance } from 'fastify';
import * as calls from '#contract/profiles/profiles.ts';
import type { Deps } from '../../../deps.ts';
import { mount } from '../../../platform/http/mount.ts';
import { changeUser, noteExport, openUser } from './admin.ts';
import { usersAsCsv } from './export.reads.ts';
import { listPage } from './list.reads.ts';

/** Users for staff: list, details, changes and export. */
export function mountUserAdministration(app: FastifyInstance, deps: Deps): void {
  const { db } = deps;

  mount(app, deps, calls.listUsers).to(async ({ caller, query, now }) => ({
    data: await listPage(db, caller, query, now, deps.pictures),
  }));
  mount(app, deps, calls.exportUsers).to(async ({ caller, query, now, reply }) => {
    await noteExport(db, caller, query, now);
    const name = `heartwood-users-${now.toISOString().slice(0, 10)}.csv`;
    return reply
      .type(calls.exportUsers.streams)
      .header('content-disposition', `attachment; filename="${name}"`)
      .send(await usersAsCsv(deps, caller, query, now));
  });
  mount(app, deps, calls.getAdminUser).to(async ({ caller, params, now }) => ({
    data: { user: await openUser(db, caller, params.id, now, deps.pictures) },
  }));
  mount(app, deps, calls.changeAdminUser).to(async ({ caller, params, body, now }) => ({
    message: 'The user is changed',
    data: { user: await changeUser(deps, caller, params.id, body, now) },
  }));
}
