import type { FastifyInstance } from 'fastify';
import * as calls from '#contract/photo-verification.ts';
import type { Deps } from '../../deps.ts';
import { type CommandContext, mount } from '#platform/http/mount.ts';
import { withForms } from '#platform/http/upload.ts';
import { requireMember } from '#platform/session/caller.ts';
import { noteReading } from '../media/public.ts';
import { giveUpPhotoVerified, setVerifiedContactOnly } from '../profiles/public.ts';
import { decide } from './decide.ts';
import { draw, sendSelfies, storeSelfie, takeSelfie, withdrawSelfies } from './own.ts';
import { ownVerification } from './own.reads.ts';
import { selfieQueue } from './queue.reads.ts';

/** Mounts the verification of a member's own pictures, and the queue in which staff compare selfies. */
export async function mountSelfies(app: FastifyInstance, deps: Deps): Promise<void> {
  const { db, mediaAddresses, pictures } = deps;
  const ownState = async ({ tx, caller, now }: CommandContext) => ({
    data: await ownVerification(tx, caller.accountId, now),
  });

  mount(app, deps, calls.getPhotoVerification).to(async ({ caller, now }) => {
    requireMember(caller);
    return { data: await ownVerification(db, caller.accountId, now) };
  });
  mount(app, deps, calls.drawPose).to(async (context) => {
    await draw(context, context.body);
    return await ownState(context);
  });
  await withForms(app, deps.config, (part) => {
    mount(part, deps, calls.uploadSelfie)
      .before((context) => storeSelfie(deps, context, context.upload))
      .to(async (context, key) => {
        await takeSelfie(context, context.params, key);
        return await ownState(context);
      });
  });
  mount(app, deps, calls.sendSelfies).to(async (context) => {
    await sendSelfies(context, context.params);
    return { message: 'Selfies sent', ...(await ownState(context)) };
  });
  mount(app, deps, calls.withdrawSelfies).to(async (context) => {
    await withdrawSelfies(context, context.params);
    return { message: 'Selfies deleted', ...(await ownState(context)) };
  });
  mount(app, deps, calls.giveUpBadge).to(async (context) => {
    requireMember(context.caller);
    await giveUpPhotoVerified(context.tx, context.caller.accountId);
    return { message: 'Badge removed', ...(await ownState(context)) };
  });
  mount(app, deps, calls.setFirstContact).to(async (context) => {
    requireMember(context.caller);
    await setVerifiedContactOnly(context.tx, context.caller.accountId, context.body.onlyVerifiedMayWrite);
    return { message: 'Saved', ...(await ownState(context)) };
  });

  mount(app, deps, calls.listSelfies).to(async ({ caller, query, now }) => {
    const data = await selfieQueue({ db, mediaAddresses, pictures, caller, now }, query.limit);
    if (data.selfies.length > 0) await noteReading(db, caller, { action: 'selfies.read', now });
    return { data };
  });
  mount(app, deps, calls.decideSelfie).to(async (context) => {
    await decide(context, { ...context.params, ...context.body });
    return { data: { verdict: context.body.verdict } };
  });
}
