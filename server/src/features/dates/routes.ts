import type { FastifyInstance } from 'fastify';
import * as calls from '#contract/dates.ts';
import type { Deps } from '../../deps.ts';
import { type CommandContext, mount } from '#platform/http/mount.ts';
import { calendarOf } from './calendar.ts';
import { answer } from './check-in.ts';
import { accept, announce, cancel, lockShownPlan, propose, setCheckIn } from './plan.ts';
import { changedDate, checkInOf, dateWith, planForCalendar, sharedPlan } from './reads.ts';
import { endShare, share, sharedDate } from './share.ts';

/** Mounts dates: planning one with a match, sharing it with a friend, and the check-in. */
export function mountDates(app: FastifyInstance, deps: Deps): void {
  const { db } = deps;
  const changed = async (context: CommandContext, matchId: string) => ({
    data: { date: await changedDate({ ...context, db: context.tx }, matchId) },
  });

  mount(app, deps, calls.getDate).to(async ({ caller, params, now }) => ({
    data: await dateWith({ db, deps, caller, now }, params.id),
  }));
  mount(app, deps, calls.proposeDate).to(async (context) => {
    await propose(context, { ...context.params, ...context.body });
    return await changed(context, context.params.id);
  });
  mount(app, deps, calls.acceptDate).to(async (context) =>
    changed(context, await accept(context, { ...context.params, ...context.body })),
  );
  mount(app, deps, calls.cancelDate).to(async (context) => {
    await cancel(context, context.params);
    return { data: {} };
  });
  mount(app, deps, calls.getDateCalendar).to(async ({ caller, params, now, reply }) => {
    const plan = await planForCalendar({ db, deps, caller, now }, params.id);
    return reply
      .type(calls.getDateCalendar.streams)
      .header('content-disposition', 'attachment; filename="date.ics"')
      .send(calendarOf(plan, new URL(deps.config.publicUrl).hostname));
  });

  mount(app, deps, calls.shareDate).to(async (context) => changed(context, await share(context, context.params)));
  mount(app, deps, calls.endDateShare).to(async (context) => {
    const { tx, caller, params, now } = context;
    const date = await sharedPlan({ db: tx, deps, caller, now }, params.id);
    await endShare(context, params);
    return { data: { date: { ...date, link: null } } };
  });
  mount(app, deps, calls.openSharedDate).to(async ({ body, now }) => ({
    data: { date: await sharedDate(deps, body.token, now) },
  }));

  mount(app, deps, calls.putCheckIn).to(async (context) => {
    const plan = await lockShownPlan(context, context.params.id);
    await setCheckIn(context, plan, context.body.checksIn);
    announce(context, plan.conversation_id, context.caller.accountId);
    return await changed(context, plan.conversation_id);
  });
  mount(app, deps, calls.getCheckIn).to(async ({ caller, params, now }) => ({
    data: { checkIn: await checkInOf({ db, caller, now }, params.id) },
  }));
  mount(app, deps, calls.answerCheckIn).to(async (context) => ({
    data: await answer(context, { ...context.params, ...context.body }),
  }));
}
