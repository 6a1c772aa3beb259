import type { FastifyInstance } from 'fastify';
import { getProfile } from '#contract/profiles.ts';
import type { Deps } from '../../platform/deps.ts';
import { mount } from '../../platform/mount.ts';
import { openSteps, toOwnUser } from '../../platform/own-user.ts';

/** PLACEHOLDER by the coordinator until the profiles helper writes the real file: overwrite it. */
export function mountProfiles(app: FastifyInstance, deps: Deps): void {
  mount(app, deps, getProfile).to(async ({ caller, now }) => {
    const user = toOwnUser(caller, now);
    return { userData: { user, privacySettings: user.settings, ...openSteps(caller) } };
  });
}
