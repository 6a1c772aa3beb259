import type { FastifyInstance } from 'fastify';
import * as calls from '#contract/moderation/decisions.ts';
import type { Deps } from '../../../deps.ts';
import { mount } from '../../../platform/http/mount.ts';
import { decide } from './decide.ts';
import { currentRules, noticesFor } from './decisions.reads.ts';
import { changeRule } from './rules.ts';
import { acknowledge, revoke } from './sanctions.ts';

/** Decisions with reasons, their sanctions and the rules behind them; and what members see of them. */
export function mountDecisions(app: FastifyInstance, deps: Deps): void {
  const { db, appealKey, banKey } = deps;

  mount(app, deps, calls.decideCase).to(({ caller, params, body, now, once }) =>
    once(async (tx) => ({ data: await decide(tx, caller, params.id, body, { now, appealKey, banKey }) })),
  );
  mount(app, deps, calls.revokeSanction).to(async ({ caller, params, body, now }) => ({
    data: { sanction: await revoke(db, caller, params.id, body.reason, now) },
  }));
  mount(app, deps, calls.listRules).to(async () => ({ data: { rules: await currentRules(db) } }));
  mount(app, deps, calls.changeRule).to(async ({ caller, params, body, now }) => ({
    data: { rule: await changeRule(db, caller, params.id, body, now) },
  }));
  mount(app, deps, calls.listNotices).to(async ({ caller, now }) => ({
    data: { notices: await noticesFor(db, caller.accountId, now) },
  }));
  mount(app, deps, calls.acknowledgeWarning).to(async ({ caller, params, now }) => ({
    data: { notices: await acknowledge(db, caller, params.id, now) },
  }));
}
