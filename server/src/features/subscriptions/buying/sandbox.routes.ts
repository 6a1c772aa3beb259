import type { FastifyInstance } from 'fastify';
import * as calls from '#contract/subscriptions/payments-sandbox.ts';
import { AppError, notFound } from '../../../platform/http/app-error.ts';
import type { Deps } from '../../../deps.ts';
import { mount } from '../../../platform/http/mount.ts';
import type { PaymentSandbox } from '../../../../../demo/payments/door.ts';
import { applyPendingPlans, nextPendingPlan } from './change.ts';
import { paying } from './paying.ts';

/** The sandbox's own door: what elsewhere the payer's browser, time and the provider's back office do. */
export function mountPaymentSandbox(app: FastifyInstance, deps: Deps): void {
  const { sandbox } = deps;
  if (sandbox === null) return;

  mount(app, deps, calls.answerSandboxIntent).to(async ({ params, body }) => {
    const { clientSecret, token, challenge } = body;
    const answer = challenge === undefined ? { token: token ?? '' } : { challenge };
    const status = await paying(() => sandbox.answerIntent(params.id, clientSecret, answer));
    if (status === null) throw notFound();
    return { data: { status } };
  });
  if (deps.config.production) return;
  mount(app, deps, calls.moveSandboxClock).to(async ({ body }) => {
    await moveClock(deps, sandbox, new Date(body.to));
    return { data: { now: (await sandbox.now()).toISOString() } };
  });
  mount(app, deps, calls.refundSandboxInvoice).to(async ({ params }) => {
    if (!(await sandbox.refund(params.id))) throw notFound();
    return { data: { refunded: true } };
  });
}

/** Lets time pass step by step, so that everything happens at the moment it would; 409 for a moment that has passed. */
async function moveClock(deps: Deps, sandbox: PaymentSandbox, to: Date): Promise<void> {
  if (to < (await sandbox.now())) throw new AppError('CONFLICT', 'The clock only moves forward');
  for (;;) {
    const dues = await Promise.all([sandbox.nextDue(), nextPendingPlan(deps.db)]);
    const next = Math.min(to.getTime(), ...dues.map((due) => due?.getTime() ?? Infinity));
    await sandbox.moveClock(new Date(next));
    await applyPendingPlans(deps, await sandbox.now());
    await sandbox.tick();
    if (next >= to.getTime()) return;
  }
}
