import type { FastifyInstance } from 'fastify';
import * as calls from '#contract/moderation/bulk.ts';
import type { Deps } from '../../../deps.ts';
import { mount } from '#platform/http/mount.ts';
import { preview } from './choose.ts';
import { askForMessage, sendApproved } from './approved.ts';
import { cancel, progressOf } from './progress.ts';
import { start } from './start.ts';

/** Acts on many people at once. */
export function mountBulk(app: FastifyInstance, deps: Deps): void {
  mount(app, deps, calls.previewBulk).to(async (context) => ({ data: await preview(context, context.body) }));
  mount(app, deps, calls.startBulk).to(async (context) => ({ data: { act: await start(context, context.body) } }));
  mount(app, deps, calls.requestBulkApproval).to(async (context) => ({
    data: { approval: await askForMessage(context, context.body) },
  }));
  mount(app, deps, calls.sendApproved).to(async (context) => ({
    data: { act: await sendApproved(context, context.params) },
  }));
  mount(app, deps, calls.getBulkAct).to(async ({ caller, params }) => ({
    data: { act: await progressOf(deps.db, caller, params.id) },
  }));
  mount(app, deps, calls.cancelBulk).to(async (context) => ({ data: { act: await cancel(context, context.params) } }));
}
