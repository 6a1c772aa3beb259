import * as calls from '#contract/service/service.ts';
import { mount } from '#platform/http/mount.ts';
import type { Feature } from '../../feature.ts';
import { bringBack, change, readService } from './versions.ts';

/** What the owner changes of the service. */
export const feature: Feature = {
  routes: [
    (app, deps) => {
      mount(app, deps, calls.getService).to(async () => ({ data: await readService(deps) }));
      mount(app, deps, calls.changeService).to(async (context) => ({
        data: { version: await change(context, context.body) },
      }));
      mount(app, deps, calls.bringServiceBack).to(async (context) => ({
        data: { version: await bringBack(context, context.body) },
      }));
    },
  ],
};
