import type { FastifyInstance, FastifyRequest } from 'fastify';
import { apiBasePath } from '#contract/constants.ts';
import type { Config } from '../config/config.ts';
import { isOwnHost } from '../config/exposure.ts';
import { AppError, notFound } from './app-error.ts';

const openHere = ['/dev/', `${apiBasePath}/dev/`];

/** The headers in which proxies name themselves, or the client or the call they answer for. */
const ofProxies =
  /forwarded|client-?ip|user-ip|real-ip|connecting-ip|external-address|trace-id|traceparent|request-id|^via$|^cdn-|^x-(envoy|amz|amzn|azure|appengine)-/;
/** Proxies that add none of them speak the HTTP of before 1999, as nginx does unless told otherwise. */
const isForwarded = ({ headers, raw }: FastifyRequest) =>
  raw.httpVersion === '1.0' || Object.keys(headers).some((name) => ofProxies.test(name));

/**
 * Keeps what asks for no account to this machine: development features, and metrics without a token. To a proxy's
 * requests, which come from anywhere, it does not exist; and pages whose own name points to this machine can't read it.
 */
export function keepLocal(app: FastifyInstance, { publicUrl, metricsToken }: Config): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const path = request.routeOptions.url ?? '';
    const isOpen = openHere.some((start) => path.startsWith(start)) || (path === '/metrics' && metricsToken === null);
    if (!isOpen) done();
    else if (isForwarded(request)) done(notFound());
    else if (isOwnHost(request.headers.host, publicUrl)) done();
    else done(new AppError('FORBIDDEN', 'Open this address by the name localhost.'));
  });
}
