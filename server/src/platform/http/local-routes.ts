import type { FastifyInstance } from 'fastify';
import type { IncomingHttpHeaders } from 'node:http';
import { apiBasePath } from '#contract/constants.ts';
import type { Config } from '../config/config.ts';
import { isOwnHost } from '../config/exposure.ts';
import { AppError, notFound } from './app-error.ts';

const openHere = ['/dev/', `${apiBasePath}/dev/`];

/** The headers in which proxies name themselves or the client they answer for. */
const ofProxies = /^(x-forwarded(-.+)?|forwarded|via|x-real-ip|x-client-ip|true-client-ip|cf-connecting-ip)$/;
const isForwarded = (headers: IncomingHttpHeaders) => Object.keys(headers).some((name) => ofProxies.test(name));

/**
 * Keeps what asks for no account to this machine: development features, and metrics without a token. To a proxy's
 * requests, which come from anywhere, it does not exist; and pages whose own name points to this machine can't read it.
 */
export function keepLocal(app: FastifyInstance, { publicUrl, metricsToken }: Config): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const path = request.routeOptions.url ?? '';
    const isOpen = openHere.some((start) => path.startsWith(start)) || (path === '/metrics' && metricsToken === null);
    if (!isOpen) done();
    else if (isForwarded(request.headers)) done(notFound());
    else if (isOwnHost(request.headers.host, publicUrl)) done();
    else done(new AppError('FORBIDDEN', 'Open this address by the name localhost.'));
  });
}
