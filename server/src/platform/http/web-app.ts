import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';
import { notFoundBody } from './error-handler.ts';

const webRoot = resolve(import.meta.dirname, '../../../../dist/web');
// A missing path below these is a 404; every other path belongs to the web app.
const isOwnAddress = (url: string) => /^\/(api|assets|dev|healthz|readyz|metrics)(\/|$|\?)/.test(url);

/**
 * Serves the built web app: hashed files, cached forever, and its page for every other path, since routing happens in the
 * browser. Without a build, only the API is available.
 */
export async function serveWebApp(app: FastifyInstance, config: Config): Promise<void> {
  const page = resolve(webRoot, 'index.html');
  const html = existsSync(page)
    ? readFileSync(page, 'utf8').replace('content="/api/v1"', `content="${config.apiBaseUrl}"`)
    : null;
  if (html !== null) {
    await app.register(fastifyStatic, {
      root: webRoot,
      wildcard: false,
      index: false,
      preCompressed: true,
      setHeaders: (response, path) => {
        void response.header(
          'cache-control',
          path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
        );
      },
    });
  }
  app.setNotFoundHandler(async (request, reply) => {
    const wantsPage = ['GET', 'HEAD'].includes(request.method) && !isOwnAddress(request.url);
    if (html === null || !wantsPage) return reply.status(404).send(notFoundBody(request));
    return reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(html);
  });
}
