import { resolve } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { apiBasePath } from '#contract/constants.ts';
import type { EndpointSpec } from '#contract/endpoint.ts';
import { filesBelow } from '../../../scripts/import-graph.ts';

const isEndpoint = (value: unknown): value is EndpointSpec =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value;

/** Every endpoint declared in the contract. */
export async function contractEndpoints(): Promise<EndpointSpec[]> {
  const modules = await Promise.all(
    filesBelow(['contract/src'], /(?<!\.test)\.ts$/).map(
      (path) => import(resolve(import.meta.dirname, '../../..', path)) as Promise<Record<string, unknown>>,
    ),
  );
  return modules.flatMap((module) => Object.values(module).filter(isEndpoint));
}

/** The notation of an endpoint in these tests: `POST /auth/login`. */
export function callName(endpoint: Pick<EndpointSpec, 'method' | 'path'>): string {
  return `${endpoint.method} ${endpoint.path}`;
}

/** The path of an endpoint, with `value` for every parameter. */
export function addressOf(endpoint: EndpointSpec, value: string): string {
  return apiBasePath + endpoint.path.replaceAll(/\{\w+\}/g, encodeURIComponent(value));
}

interface AppRoute {
  method: string;
  /** In the router's notation, with parameters as `:name`. */
  path: string;
}

/** Every route of the built app, read from the router itself, so that none can bypass the guard. */
export function routesOf(app: FastifyInstance): AppRoute[] {
  const parents: string[] = [];
  return app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const found = /^([│ ]*)[├└]── (.*?)(?: \(([A-Z, ]+)\))?$/.exec(line);
      if (found === null) return [];
      const [, indent = '', part = '', methods] = found;
      const depth = indent.length / 4;
      parents.length = depth;
      const path = (parents.at(-1) ?? '') + part;
      parents.push(path);
      return methods === undefined ? [] : methods.split(', ').map((method) => ({ method, path }));
    });
}
