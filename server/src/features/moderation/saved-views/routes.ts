import type { FastifyInstance } from 'fastify';
import * as calls from '#contract/moderation/user-views.ts';
import type { Deps } from '../../../deps.ts';
import { mount } from '#platform/http/mount.ts';
import { deleteView, savedViews } from './saved-views.ts';
import { putUserView, userScreen } from './user-views.ts';

/** Mounts saved lists of users; those of cases are mounted with the cases, which count them. */
export function mountUserViews(app: FastifyInstance, deps: Deps): void {
  mount(app, deps, calls.listUserViews).to(async ({ caller, read }) => ({
    data: { views: await read((from) => savedViews(from, caller, userScreen)) },
  }));
  mount(app, deps, calls.saveUserView).to(async (context) => ({
    data: { view: await putUserView(context, context.body) },
  }));
  mount(app, deps, calls.changeUserView).to(async (context) => ({
    data: { view: await putUserView(context, { ...context.params, ...context.body }) },
  }));
  mount(app, deps, calls.deleteUserView).to(async (context) => {
    await deleteView(context, userScreen, context.params);
    return {};
  });
}
