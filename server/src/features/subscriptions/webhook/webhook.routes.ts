import type { FastifyInstance } from 'fastify';
import { receivePaymentEvent } from '#contract/subscriptions/subscriptions.ts';
import type { Deps } from '../../../deps.ts';
import { mount } from '../../../platform/http/mount.ts';
import { receive, signatureOf } from './webhook.ts';

/** Where the provider's messages arrive: a part of the app of its own, since their signature is over the bytes as they came. */
export async function mountPaymentWebhook(app: FastifyInstance, deps: Deps): Promise<void> {
  await app.register(async (part) => {
    part.removeAllContentTypeParsers();
    part.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
      done(null, body);
    });
    mount(part, deps, receivePaymentEvent).to(async ({ request }) => {
      const { duplicate } = await receive(deps, request.body, signatureOf(request.headers));
      return { message: duplicate ? 'duplicate' : 'OK', data: { duplicate } };
    });
  });
}
