import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';

/** RFC 9116 recommends less than a year, so that no one writes to a contact that is no longer read. */
const contactValidDays = 90;
const dayMs = 86_400_000;
const securityTextPath = '/.well-known/security.txt';

/** The existing paths below `/.well-known`; all others return 404. */
export function mountWellKnown(app: FastifyInstance, { config, clock }: Pick<Deps, 'config' | 'clock'>): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/.well-known/change-password',
    handler: (_request, reply) => reply.redirect('/app/settings/security', 302),
  });
  app.route({
    method: ['GET', 'HEAD'],
    url: securityTextPath,
    handler: (_request, reply) => {
      const today = Math.floor(clock.now().getTime() / dayMs);
      const lines = [
        `Contact: ${config.securityContact}`,
        `Expires: ${new Date((today + contactValidDays) * dayMs).toISOString()}`,
        'Preferred-Languages: en',
        `Canonical: ${config.publicUrl}${securityTextPath}`,
      ];
      return reply.type('text/plain; charset=utf-8').send(`${lines.join('\n')}\n`);
    },
  });
}
