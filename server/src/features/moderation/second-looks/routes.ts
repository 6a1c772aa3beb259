import type { FastifyInstance } from 'fastify';
import { getCare } from '#contract/moderation/care.ts';
import * as calls from '#contract/moderation/second-looks.ts';
import type { Deps } from '../../../deps.ts';
import { mount } from '#platform/http/mount.ts';
import { careFor } from '../care/care.reads.ts';
import { secondLookFigures } from './figures.reads.ts';
import { addGolden, goldenCases, retireGolden } from './golden.ts';
import { judge, skip } from './judge.ts';
import { takeNext } from './take.ts';

/**
 * Second looks at decisions by someone who doesn't know them, the training cases among them, and how many difficult cases the caller has
 * seen today.
 */
export function mountSecondLooks(app: FastifyInstance, deps: Deps): void {
  mount(app, deps, getCare).to(async ({ caller, now }) => ({ data: await careFor(deps.db, caller.accountId, now) }));
  mount(app, deps, calls.takeSecondLook).to(async (context) => ({ data: { look: await takeNext(context) } }));
  mount(app, deps, calls.judgeSecondLook).to(async (context) => ({
    data: await judge(context, { ...context.params, ...context.body }),
  }));
  mount(app, deps, calls.skipSecondLook).to(async (context) => {
    await skip(context, context.params);
    return {};
  });
  mount(app, deps, calls.getSecondLookFigures).to(async ({ caller, read, now }) => ({
    data: await read((from) => secondLookFigures(from, caller, now)),
  }));
  mount(app, deps, calls.listGoldenCases).to(async () => ({ data: { cases: await goldenCases(deps.db) } }));
  mount(app, deps, calls.addGoldenCase).to(async (context) => {
    await addGolden(context, context.body);
    return {};
  });
  mount(app, deps, calls.retireGoldenCase).to(async (context) => {
    await retireGolden(context, context.params);
    return {};
  });
}
