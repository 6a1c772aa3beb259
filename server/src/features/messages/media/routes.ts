import type { FastifyInstance } from 'fastify';
import * as calls from '#contract/messages/message-media.ts';
import type { Deps } from '../../../deps.ts';
import { mount } from '#platform/http/mount.ts';
import { withForms } from '#platform/http/upload.ts';
import { emitMessage, emitToReceiver } from '../views.ts';
import { openPicture } from './open.ts';
import { addUpload, keepMedia } from './upload.ts';

/** Mounts uploads for messages, and opening photos that can be viewed once. Their bytes are served with all other pictures. */
export async function mountMessageMedia(app: FastifyInstance, deps: Deps): Promise<void> {
  await withForms(app, deps.config, (part) => {
    mount(part, deps, calls.uploadMessageMedia)
      .before(({ caller, params, query, upload }) => keepMedia(deps, caller, { matchId: params.id, ...query }, upload))
      .to(async (context, made) => {
        const { params, query } = context;
        return { data: await addUpload(context, { matchId: params.id, ...query }, made) };
      });
  });
  mount(app, deps, calls.openPicture).to(async (context) => {
    const { url, written } = await openPicture(context, { ...context.params, ...context.body });
    // Another event would show the sender when the receiver was active.
    context.after(() => (written.sharesActivity ? emitMessage(deps, written) : emitToReceiver(deps, written)));
    return { data: { url } };
  });
}
