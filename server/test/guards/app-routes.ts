import type { FastifyInstance } from 'fastify';

export interface AppRoute {
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
