import { describe, expect, it } from 'vitest';
import ts from 'typescript';
import { cyclesOf, nodesOf, parseSource, placeOf, readSources, type Import, type SourceFile } from './sources.ts';

/** The features in their order: one may enter an earlier one through its `public.ts`, never a later one. */
const features = [
  'auth',
  'subscriptions',
  'compatibility',
  'profiles',
  'media',
  'connections',
  'messages',
  'discovery',
  'notifications',
  'moderation',
  'statistics',
  'takeout',
  'operations',
];

const isTest = (path: string) => /\.(test|spec)\.tsx?$/.test(path);
const sources = readSources(['contract/src', 'server/src', 'web/src', 'web/worker']);
const product = sources.filter((file) => !isTest(file.path));
const productByPath = new Map(product.map((file) => [file.path, file]));

type Parsed = Pick<SourceFile, 'path' | 'ast' | 'imports'>;
/** A message for each import of `file` that `isForbidden`. */
const forbidden = (file: Parsed, isForbidden: (entry: Import) => boolean) =>
  file.imports.filter(isForbidden).map((entry) => `${file.path} imports ${entry.specifier}`);
const within = (path: string | null, folder: string) => path?.startsWith(`${folder}/`) === true;
const featureOf = (path: string | null, side: 'server' | 'web') =>
  new RegExp(`^${side}/src/features/([^/]+)/`).exec(path ?? '')?.[1] ?? null;

function contractImports(file: Parsed): string[] {
  if (!within(file.path, 'contract/src')) return [];
  return forbidden(file, ({ target, specifier }) => !within(target, 'contract/src') && specifier !== 'zod/mini');
}

function sides(file: Parsed): string[] {
  const other = within(file.path, 'web') ? 'server' : within(file.path, 'server') ? 'web' : null;
  return other === null ? [] : forbidden(file, ({ target }) => within(target, other));
}

/** Which of our files the parts below the features may import. */
const foundations: Record<string, string[]> = {
  'server/src/platform': ['contract/src', 'server/src/platform', 'server/src/deps.ts'],
  'web/src/ui': ['contract/src', 'web/src/ui'],
  'web/src/api': ['contract/src', 'web/src/api', 'web/worker'],
  'web/worker': ['web/worker'],
};

function featurelessFoundations(file: Parsed): string[] {
  const [, reachable] = Object.entries(foundations).find(([folder]) => within(file.path, folder)) ?? [null, null];
  if (reachable === null) return [];
  return forbidden(
    file,
    ({ target, isType }) =>
      target !== null &&
      !reachable.some((place) => target === place || within(target, place)) &&
      !(isType && within(target, 'contract/src')),
  );
}

function featureOrder(file: Parsed): string[] {
  const own = featureOf(file.path, 'server');
  if (own === null) return [];
  return forbidden(file, ({ target }) => {
    const other = featureOf(target, 'server');
    if (other === null || other === own) return false;
    return target?.endsWith('/public.ts') !== true || features.indexOf(other) >= features.indexOf(own);
  });
}

const isRoutes = (path: string | null) => /[./]routes\.ts$/.test(path ?? '');
const http = /^(node:https?|fastify|@fastify\/.+)$/;

function layers(file: Parsed): string[] {
  if (/[./]reads\.ts$/.test(file.path)) {
    return forbidden(
      file,
      ({ specifier, target }) =>
        http.test(specifier) || isRoutes(target) || target?.endsWith('/http/mount.ts') === true,
    );
  }
  if (isRoutes(file.path)) {
    return forbidden(file, ({ specifier }) => /^(kysely|pg)$/.test(specifier));
  }
  return [];
}

const impure = /^(node:|fastify|@fastify\/|kysely|pg|graphile-worker|nodemailer|@node-rs\/argon2)/;

/** A policy decides from its arguments alone, so nothing it imports may do I/O. */
function purePolicies(file: Parsed): string[] {
  if (!/[./]policy\.ts$/.test(file.path)) return [];
  const reached = new Set<string>();
  const found: string[] = [];
  const visit = ({ path, imports }: Parsed) => {
    if (reached.has(path)) return;
    reached.add(path);
    for (const { specifier, target } of imports) {
      if (target === null && impure.test(specifier)) found.push(`${file.path} reaches ${specifier} through ${path}`);
      if (/[./](reads|routes|jobs)\.ts$/.test(target ?? '')) found.push(`${file.path} reaches ${target}`);
      const next = productByPath.get(target ?? '');
      if (next !== undefined) visit(next);
    }
  };
  visit(file);
  return found;
}

function webFeatures(file: Parsed): string[] {
  const own = featureOf(file.path, 'web');
  if (own !== null) {
    return forbidden(file, ({ target }) => {
      const other = featureOf(target, 'web');
      return (other !== null && other !== own) || within(target, 'web/src/member') || within(target, 'web/src/admin');
    });
  }
  const otherTree = within(file.path, 'web/src/member')
    ? 'web/src/admin'
    : within(file.path, 'web/src/admin')
      ? 'web/src/member'
      : null;
  return otherTree === null ? [] : forbidden(file, ({ target }) => within(target, otherTree));
}

/** Outside the admin tree its code is only imported lazily, so that members don't download it. */
function adminIsLazy(file: Parsed): string[] {
  if (!within(file.path, 'web/src') || within(file.path, 'web/src/admin')) return [];
  return forbidden(
    file,
    ({ target, isDynamic }) => within(target, 'web/src/admin') && !isDynamic && !/-pages\.ts$/.test(target ?? ''),
  );
}

/** The files of the server's tests that compose the app as `npm start` does, or start a database. */
const composers = ['global-setup', 'harness', 'replica', 'sockets'].map((name) => `server/test/${name}.ts`);

/** The server runs without demo data, stand-ins and the launcher, which are given to it. */
function serverAlone(file: Parsed): string[] {
  if (!within(file.path, 'server') || composers.includes(file.path)) return [];
  return forbidden(file, ({ target }) => within(target, 'demo') || within(target, 'launcher'));
}

function environment(file: Parsed): string[] {
  if (!within(file.path, 'server/src') || file.path === 'server/src/platform/config/config.ts') return [];
  return [...nodesOf(file.ast)]
    .filter((node) => ts.isPropertyAccessExpression(node) && node.getText() === 'process.env')
    .map((node) => `${placeOf(file, node)} reads the environment`)
    .concat(forbidden(file, ({ specifier }) => /^(node:)?process$/.test(specifier)));
}

/** Libraries that decode hostile bytes run where a deadline can end them. */
function decoding(file: Parsed): string[] {
  if (!within(file.path, 'server/src') || file.path === 'server/src/features/media/decoding/decoder.ts') return [];
  return forbidden(file, ({ specifier }) => specifier === 'sharp');
}

const callsTheNetwork = /^(fetch|XMLHttpRequest|WebSocket|EventSource|sendBeacon)$/;

function fetching(file: Parsed): string[] {
  if (!within(file.path, 'web/src') || within(file.path, 'web/src/api')) return [];
  return [...nodesOf(file.ast)]
    .filter((node) => ts.isIdentifier(node) && callsTheNetwork.test(node.text) && isUse(node))
    .map((node) => `${placeOf(file, node)} uses ${node.getText()}`);
}

/** A variable that is used, rather than a key or property with the same name. */
function isUse(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) && parent.name === node) {
    return /^(window|globalThis|self|navigator)$/.test(parent.expression.getText());
  }
  return (
    ts.isCallExpression(parent) ||
    ts.isNewExpression(parent) ||
    ts.isVariableDeclaration(parent) ||
    ts.isArrowFunction(parent)
  );
}

function testsUnknown(file: Parsed): string[] {
  return forbidden(
    file,
    ({ specifier, target }) =>
      /^(vitest|fast-check|@testing-library\/.+|playwright.*)$/.test(specifier) ||
      (target !== null && (isTest(target) || /(^|\/)(test|e2e)\//.test(target))),
  );
}

const arrows: [string, (file: Parsed) => string[]][] = [
  ['the contract imports only zod/mini', contractImports],
  ['web and server never import each other', sides],
  ['platform, ui and api import no feature, and the service worker only types', featurelessFoundations],
  ['a server feature imports only earlier ones, through their public.ts', featureOrder],
  ['reads know no HTTP, routes no SQL', layers],
  ['policies are pure', purePolicies],
  ['web features never import each other, nor the pages that compose them', webFeatures],
  ['the code of the admin tree is loaded lazily', adminIsLazy],
  ['only platform/config reads the environment', environment],
  ['only the process that decodes pictures loads sharp', decoding],
  ['only web/src/api fetches', fetching],
  ['the product imports no tests', testsUnknown],
];

describe('forbidden imports', () => {
  it.each(arrows)('%s', (_, offences) => {
    expect(product.flatMap(offences)).toEqual([]);
  });

  it('the server and its tests import neither demo data nor the launcher', () => {
    expect([...sources, ...readSources(['server/test'])].flatMap(serverAlone)).toEqual([]);
  });

  it('knows every feature by name', () => {
    const known = product.map((file) => featureOf(file.path, 'server')).filter((name) => name !== null);
    expect([...new Set(known)].filter((name) => !features.includes(name))).toEqual([]);
    expect(known.length).toBeGreaterThan(10);
  });

  it('have no cycles', () => {
    const ours = [...sources, ...readSources(['demo', 'launcher', 'lab'])].map(({ path, imports }) => ({
      path,
      imports: imports.filter(({ isDynamic }) => !isDynamic).flatMap(({ target }) => target ?? []),
    }));
    expect(cyclesOf(ours)).toEqual([]);
  });

  it('finds every file that is imported', () => {
    const ours = new Set(sources.map((file) => file.path));
    const lost = sources.flatMap((file) =>
      forbidden(
        file,
        ({ target }) =>
          target !== null &&
          /\.tsx?$/.test(target) &&
          /^(contract|server|web)\/src\//.test(target) &&
          !ours.has(target),
      ),
    );
    expect(lost).toEqual([]);
  });
});

describe('the guard itself notices', () => {
  it('import cycles, direct or indirect', () => {
    const files = [
      { path: 'a', imports: ['b'] },
      { path: 'b', imports: ['c', 'other'] },
      { path: 'c', imports: ['d'] },
      { path: 'd', imports: ['b'] },
    ];
    expect(cyclesOf(files)).toEqual([['b', 'c', 'd']]);
  });

  it.each<[string, string, string, (file: Parsed) => string[]]>([
    ['a contract that imports the server', 'contract/src/x.ts', "import '../../server/src/app.ts'", contractImports],
    ['a contract that imports all of zod', 'contract/src/x.ts', "import * as z from 'zod'", contractImports],
    ['web importing server', 'web/src/ui/x.ts', "import type { A } from '../../../server/src/app.ts'", sides],
    [
      'a platform that imports a feature',
      'server/src/platform/x.ts',
      "import { a } from '../features/auth/public.ts'",
      featurelessFoundations,
    ],
    [
      "a feature that bypasses another's public.ts",
      'server/src/features/connections/x.ts',
      "import { a } from '../auth/accounts.ts'",
      featureOrder,
    ],
    [
      'an earlier feature that imports a later one',
      'server/src/features/auth/x.ts',
      "import { a } from '../connections/public.ts'",
      featureOrder,
    ],
    ['reads that know HTTP', 'server/src/features/auth/reads.ts', "import type { A } from 'fastify'", layers],
    ['routes with SQL', 'server/src/features/auth/routes.ts', "import { sql } from 'kysely'", layers],
    [
      'a policy that asks the database',
      'server/src/features/auth/policy.ts',
      "import { a } from '../../platform/db/db.ts'",
      purePolicies,
    ],
    [
      'a web feature that imports another',
      'web/src/features/users/x.ts',
      "import { a } from '../auth/session.ts'",
      webFeatures,
    ],
    [
      'a member page with an admin part',
      'web/src/member/x.ts',
      "import { a } from '../admin/AdminLayout.tsx'",
      adminIsLazy,
    ],
    ['a server with demo data', 'server/src/app.ts', "import('../../demo/seed.ts')", serverAlone],
    ['a server that starts its database', 'server/src/x.test.ts', "import '../../launcher/start.ts'", serverAlone],
    ['the environment read elsewhere', 'server/src/app.ts', "const a = process.env['PORT'];", environment],
    ['pictures decoded in the server', 'server/src/app.ts', "import sharp from 'sharp'", decoding],
    ['a fetch elsewhere', 'web/src/ui/x.ts', "const a = () => window.fetch('/');", fetching],
    ['a product file that imports a test', 'server/src/x.ts', "import { a } from '../test/harness.ts'", testsUnknown],
  ])('%s', (_, path, text, offences) => {
    expect(offences(parseSource(path, text))).not.toEqual([]);
  });
});
