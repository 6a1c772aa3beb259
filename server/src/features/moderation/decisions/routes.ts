import type { FastifyInstance } from 'fastify';
import * as calls from '#contract/moderation/decisions.ts';
import { revokeSanction } from '#contract/moderation/cases.ts';
import type { Deps } from '../../../deps.ts';
import { mount } from '#platform/http/mount.ts';
import { countWarnings } from './fraud-warnings.ts';
import { acknowledge, revoke } from './sanction-commands.ts';
import { changeRule } from './change-rule.ts';
import { currentRules, statementsFor } from './decisions.reads.ts';

/** Mounts decisions with reasons, their sanctions, the rules behind them, and the members' view of them. */
export function mountDecisions(app: FastifyInstance, deps: Deps): void {
  deps.metrics.gauges(
    'fraud_warnings',
    'Warnings to those who answered someone banned for fraud: waiting, late, sent and corrected',
    'state',
    () => countWarnings(deps.db, deps.clock.now()),
  );
  const { db, mediaAddresses: addresses } = deps;

  mount(app, deps, revokeSanction).to(async (context) => ({
    data: { sanction: await revoke(context, { ...context.params, ...context.body }) },
  }));
  mount(app, deps, calls.listRules).to(async () => ({ data: { rules: await currentRules(db) } }));
  mount(app, deps, calls.changeRule).to(async (context) => ({
    data: { rule: await changeRule(context, { ...context.params, ...context.body }) },
  }));
  mount(app, deps, calls.listStatements).to(async ({ caller, now }) => ({
    data: { notices: await statementsFor(db, { accountId: caller.accountId, addresses, now }) },
  }));
  mount(app, deps, calls.acknowledgeWarning).to(async (context) => ({
    data: { notices: await acknowledge(context, context.params) },
  }));
}
