import type { FastifyInstance } from 'fastify';

export interface AppRoute {
  method: string;
  /** As the router knows it, parameters as `:name`. */
  path: string;
}

/** Every route the built app answers, read from the router itself, so that none can be mounted past the guard. */
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
