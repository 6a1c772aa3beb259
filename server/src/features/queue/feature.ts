import { getQueue } from '#contract/moderation/queue.ts';
import { mount } from '#platform/http/mount.ts';
import type { Feature } from '../../feature.ts';
import { countWaiting } from './counts.reads.ts';

/** The waiting work of every kind for staff. */
export const feature: Feature = {
  routes: [
    (app, deps) =>
      mount(app, deps, getQueue).to(async ({ caller, read, now }) => ({
        data: { counts: await read((db) => countWaiting(db, caller, now)) },
      })),
  ],
};
