import { getBanner } from '#contract/service/banner.ts';
import { listInvitations, makeInvitation, revokeInvitation } from '#contract/service/invitations.ts';
import { getLists } from '#contract/service/lists.ts';
import * as calls from '#contract/service/service.ts';
import * as texts from '#contract/service/texts.ts';
import { mount, type PreparationContext } from '#platform/http/mount.ts';
import type { Feature } from '../../feature.ts';
import { preview, publish, textFor, textVersions } from './texts.ts';
import { bannerFor } from './banner.ts';
import { makeLink, readLinks, revokeLink } from './invitations.ts';
import { bringBack, change, readService } from './versions.ts';

/** The parts of the service that the owner can change. */
export const feature: Feature = {
  routes: [
    (app, deps) => {
      mount(app, deps, calls.getService).to(async () => ({ data: await readService(deps) }));
      // This process applies new settings before it answers; the others are notified.
      const renewed = async (context: PreparationContext) => context.finally(deps.service.renew);
      mount(app, deps, calls.changeService)
        .before(renewed)
        .to(async (context) => ({
          data: { version: await change(context, context.body) },
        }));
      mount(app, deps, calls.bringServiceBack)
        .before(renewed)
        .to(async (context) => ({
          data: { version: await bringBack(context, context.body) },
        }));
      mount(app, deps, getLists).to(async () => ({ data: { lists: deps.service.now().settings.lists } }));
      mount(app, deps, getBanner).to(async ({ caller, now }) => ({
        data: { banner: bannerFor(caller, deps.service.now().settings, now) },
      }));
      mount(app, deps, texts.listTextVersions).to(async ({ params }) => ({
        data: { versions: await textVersions(deps.db, params) },
      }));
      mount(app, deps, texts.previewText).to(async ({ body }) => ({ data: preview(body.body) }));
      mount(app, deps, texts.publishText)
        .before(renewed)
        .to(async (context) => ({
          data: await publish(context, { ...context.params, ...context.body }),
        }));
      mount(app, deps, texts.readText).to(async ({ params, query }) => ({
        data: await textFor(deps.db, { ...params, ...query }),
      }));
      mount(app, deps, listInvitations).to(async () => ({
        data: { invitations: await readLinks(deps.db, deps.config.publicUrl) },
      }));
      mount(app, deps, makeInvitation).to(async (context) => ({
        data: { link: await makeLink(context, context.body) },
      }));
      mount(app, deps, revokeInvitation).to(async (context) => {
        await revokeLink(context, context.params);
        return {};
      });
    },
  ],
};
