import type { FastifyInstance } from 'fastify';
import * as calls from '#contract/age-check.ts';
import type { Deps } from '../../../deps.ts';
import { notFound } from '#platform/http/app-error.ts';
import { mount } from '#platform/http/mount.ts';
import { requireMember } from '#platform/session/caller.ts';
import { ownAgeCheck } from './age.reads.ts';
import { startCheck, takeAnswer } from './check.ts';

/** Mounts age checks: a member's own state, the start of a check, and the provider's answer. */
export function mountAge(app: FastifyInstance, deps: Deps): void {
  mount(app, deps, calls.getAgeCheck).to(async ({ caller, now }) => {
    requireMember(caller);
    return { data: await ownAgeCheck(deps.db, caller, { ...deps, now }) };
  });
  mount(app, deps, calls.startAgeCheck).to(async (context) => ({ data: { url: await startCheck(context) } }));
  mount(app, deps, calls.takeAgeAnswer)
    .before(async ({ body, network }) => {
      if (deps.age?.isSigned(body) === true) return;
      // Only forged answers count, because the provider's come from few addresses.
      await deps.limits.spend('codeTry', network);
      throw notFound();
    })
    .to(async (context) => {
      await takeAnswer(context, context.body);
      return { message: 'Answer taken' };
    });
}
