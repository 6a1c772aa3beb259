import type { FastifyInstance } from 'fastify';
import * as calls from '#contract/moderation/automatic-rules.ts';
import type { Deps } from '../../../deps.ts';
import { mount } from '#platform/http/mount.ts';
import { startDryRun } from './dry-run.ts';
import { countRulesAtLimit } from './hits.ts';
import { readRules } from './rules.reads.ts';
import { addRule, changeAutomatic, retireRule, switchRule } from './rules.ts';

/** Automatic rules: they open cases by themselves, and a person reviews each of their hits. */
export function mountAutomaticRules(app: FastifyInstance, deps: Deps): void {
  deps.metrics.gauge('rules_at_hold_limit', 'Automatic rules that have held as many people as an hour allows', () =>
    countRulesAtLimit(deps.db, deps.clock.now()),
  );

  mount(app, deps, calls.listAutomaticRules).to(async ({ caller, now }) => ({
    data: { rules: await readRules(deps.db, caller, now) },
  }));
  mount(app, deps, calls.addAutomaticRule).to(async (context) => ({
    data: { rule: await addRule(context, context.body) },
  }));
  mount(app, deps, calls.changeAutomaticRule).to(async (context) => ({
    data: { rule: await changeAutomatic(context, { ...context.params, ...context.body }) },
  }));
  mount(app, deps, calls.retireAutomaticRule).to(async (context) => {
    await retireRule(context, context.params);
    return {};
  });
  mount(app, deps, calls.startDryRun).to(async (context) => ({
    data: { rule: await startDryRun(context, context.params) },
  }));
  mount(app, deps, calls.switchAutomaticRule).to(async (context) => ({
    data: { rule: await switchRule(context, { ...context.params, ...context.body }) },
  }));
}
