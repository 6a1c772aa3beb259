import { msg } from '@lingui/core/runtime-macro';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { apiBasePath } from '#contract/constants.ts';
import type { Config } from '../config/config.ts';
import { isOwnHost } from '../config/exposure.ts';
import { AppError, notFound } from './app-error.ts';

const openHere = ['/dev/', `${apiBasePath}/dev/`];

/** The headers in which proxies identify themselves, or the client or request that they forward. */
const ofProxies =
  /forwarded|client-?ip|user-ip|real-ip|connecting-ip|external-address|trace-id|traceparent|request-id|^via$|^cdn-|^x-(envoy|amz|amzn|azure|appengine)-/;
/** Proxies that add none of these headers use HTTP 1.0, like nginx by default. */
const isForwarded = ({ headers, raw }: FastifyRequest) =>
  raw.httpVersion === '1.0' || Object.keys(headers).some((name) => ofProxies.test(name));

/**
 * Restricts everything that requires no account to this machine: development features, and metrics without a token.
 * Requests through a proxy, which can come from anywhere, get 404, and pages whose own name points to this machine
 * can't read it.
 */
export function keepLocal(app: FastifyInstance, { publicUrl, metricsToken }: Config): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const path = request.routeOptions.url ?? '';
    const isOpen = openHere.some((start) => path.startsWith(start)) || (path === '/metrics' && metricsToken === null);
    if (!isOpen) done();
    else if (isForwarded(request)) done(notFound());
    else if (isOwnHost(request.headers.host, publicUrl)) done();
    else done(new AppError('FORBIDDEN', msg`Open this address by the name localhost.`));
  });
}
