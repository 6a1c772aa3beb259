import type { FastifyInstance } from 'fastify';
import { currentPasswordHeader, exportOwnData } from '#contract/takeout.ts';
import type { Deps } from '../../deps.ts';
import { mount } from '../../platform/http/mount.ts';
import { givenPassword, takeOut } from './takeout.ts';

/** Data export. */
export function mountTakeout(app: FastifyInstance, deps: Deps): void {
  mount(app, deps, exportOwnData).to(async ({ caller, now, request, reply }) => {
    const password = givenPassword(request.headers[currentPasswordHeader]);
    const archive = await takeOut(deps, caller, password, now);
    return reply
      .type(exportOwnData.streams)
      .header('content-disposition', `attachment; filename="heartwood-${now.toISOString().slice(0, 10)}.zip"`)
      .send(archive);
  });
}
