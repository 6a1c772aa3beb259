import { describe, expect, it } from 'vitest';
import { cyclesOf, type Import, importsOf, readSources } from '../../../../scripts/import-graph.ts';

/** The features in order: a feature may import from an earlier one through its `public.ts`, never from a later one. */
const features = (
  'service auth subscriptions compatibility profiles media connections messages discovery notifications moderation dates selfies queue ' +
  'statistics insights takeout operations'
).split(' ');

/** The rooms of moderation in order: a file may import from its own room and earlier ones, never from a later one. */
const rooms = (
  'work saved-views care help-lines reports user-file automatic holds decisions appeals emergencies outsiders cases ' +
  'own-file bulk start second-looks audit transparency'
).split(' ');

/** Files, and the paths of our files and packages that they may not import. */
interface Rule {
  from: RegExp;
  never: RegExp;
  /** Files that are exempt. */
  except?: RegExp;
  /** Kinds of imports that are allowed nevertheless. */
  allows?: 'isType' | 'isLazy';
}

const tests = /\.test\.tsx?$|(^|\/)test\//;
/** Files that compose the app as `npm start` does, start a database, or start the product as a process. */
const composers =
  /^server\/test\/((global-setup|harness|replica|sockets|guards\/sources\/documents\.test)\.ts|proofs\/)/;
const ofTests = /\.test\.|(^|\/)(test|e2e)\/|^(vitest|fast-check|@testing-library\/.*|playwright.*)$/;
const ofStaff = /^web\/src\/admin\/|\.test\.tsx?$/;

const rules: Record<string, Rule> = {
  'the contract imports only zod/mini and texts': {
    from: /^contract\/src\//,
    never: /^(?!contract\/src\/|zod\/mini$|@lingui\/core(\/runtime-macro)?$)/,
    except: tests,
  },
  'the web app never imports the server': { from: /^web\//, never: /^server\// },
  'the server never imports the web app': { from: /^server\//, never: /^web\// },
  'the server does not import the demo or the launcher': {
    from: /^server\//,
    never: /^(demo|launcher)\//,
    except: composers,
  },
  'the platform does not import features': {
    from: /^server\/src\/platform\//,
    never: /^server\/src\/(?!platform\/|deps\.ts$)/,
    except: tests,
  },
  'web/src/ui does not import features': {
    from: /^web\/src\/ui\//,
    never: /^web\/src\/(?!ui\/|(?:browser-storage|brand)\.ts$)/,
    except: tests,
  },
  'web/src/api does not import features': {
    from: /^web\/src\/api\//,
    never: /^web\/src\/(?!api\/|(?:browser-storage|brand)\.ts$)/,
    except: tests,
  },
  'the service worker imports only its own files, and languages, constants and addresses': {
    from: /^web\/worker\//,
    never: /^(web\/(?!worker\/)|contract\/(?!src\/(?:languages|constants|url)\.ts))/,
    except: tests,
    allows: 'isType',
  },
  'web features do not import pages': {
    from: /^web\/src\/features\//,
    never: /^web\/src\/(member|admin)\//,
    except: tests,
  },
  'members never load code for staff': {
    from: /^web\/src\//,
    never: /^web\/src\/admin\/(?!.*-pages\.ts$)/,
    except: ofStaff,
    allows: 'isLazy',
  },
  'staff screens do not import members’ screens': { from: /^web\/src\/admin\//, never: /^web\/src\/member\// },
  'product code does not import tests': { from: /^(contract|server|web)\/src\//, never: ofTests, except: tests },
};

type Source = { path: string; imports: Import[] };

/** The imports of a file that a rule forbids, as messages. */
function offences({ from, never, except, allows }: Rule, { path, imports }: Source): string[] {
  if (!from.test(path) || except?.test(path) === true) return [];
  return imports
    .filter((one) => never.test(one.target ?? one.specifier) && !(allows !== undefined && one[allows]))
    .map(({ specifier }) => `${path} imports ${specifier}`);
}

const featureOf = (path: string | null, side: string) =>
  new RegExp(`^${side}/src/features/([^/]+)/`).exec(path ?? '')?.[1];

/** The forbidden imports from one feature's file into another feature. */
function featureOffences({ path, imports }: Source): string[] {
  const isForbidden = (side: 'server' | 'web', target: string | null) => {
    const [own, other] = [featureOf(path, side), featureOf(target, side)];
    if (own === undefined || other === undefined || other === own || tests.test(path)) return false;
    return side === 'web' || !target?.endsWith('/public.ts') || features.indexOf(other) >= features.indexOf(own);
  };
  return imports
    .filter(({ target }) => isForbidden('server', target) || isForbidden('web', target))
    .map(({ specifier }) => `${path} imports ${specifier}`);
}

const roomOf = (path: string | null) => /^server\/src\/features\/moderation\/([^/]+)\//.exec(path ?? '')?.[1];

/** The imports from a room of moderation into a later one. */
function roomOffences({ path, imports }: Source): string[] {
  const own = roomOf(path);
  if (own === undefined || tests.test(path)) return [];
  return imports
    .filter(({ target }) => rooms.indexOf(roomOf(target) ?? own) > rooms.indexOf(own))
    .map(({ specifier }) => `${path} imports ${specifier}`);
}

const sources = readSources(['contract', 'server', 'web', 'demo', 'launcher', 'lab', 'scripts']);
const parsed = (path: string, text: string) => ({ path, imports: importsOf(path, text) });

describe('imports', () => {
  it.each(Object.entries(rules))('follow the rule: %s', (_, rule) => {
    expect(sources.flatMap((source) => offences(rule, source))).toEqual([]);
  });

  it('enter a server feature only from later ones through its public.ts, and never enter another web feature', () => {
    expect(sources.flatMap(featureOffences)).toEqual([]);
    expect(features).toEqual(expect.arrayContaining(sources.flatMap(({ path }) => featureOf(path, 'server') ?? [])));
  });

  it('enter a room of moderation only from the same or later ones', () => {
    expect(sources.flatMap(roomOffences)).toEqual([]);
    expect(new Set(rooms)).toEqual(new Set(sources.flatMap(({ path }) => roomOf(path) ?? [])));
  });

  it('have no cycles', () => {
    expect(cyclesOf(sources.filter(({ path }) => !/^server\/test\/(?!proofs\/)/.test(path)))).toEqual([]);
    const files = [
      parsed('a', "import './b';"),
      parsed('b', "import './c';\nimport './other';"),
      parsed('c', "const load = () => import('./d');"),
      parsed('d', "import type { B } from './b';"),
    ];
    expect(cyclesOf(files)).toEqual([['b', 'c', 'd']]);
  });

  it.each([
    ['web/src/ui/x.ts', "import type { A } from '../../../server/src/app.ts'"],
    ['contract/src/x.ts', "import * as z from 'zod'"],
    ['server/src/app.ts', "const a = await import('../../demo/seed.ts')"],
    ['web/src/member/x.ts', "import { a } from '../admin/AdminLayout.tsx'"],
    ['server/src/features/connections/x.ts', "import { a } from '../auth/accounts.ts'"],
    ['server/src/features/auth/x.ts', "import {\n  a,\n} from '../connections/public.ts'"],
    ['web/src/features/users/x.ts', "import { a } from '../auth/session.ts'"],
    ['server/src/features/moderation/work/x.ts', "import { a } from '../holds/hold.ts'"],
  ])('in %s are checked: %s', (path, text) => {
    const source = parsed(path, text);
    expect([
      ...Object.values(rules).flatMap((rule) => offences(rule, source)),
      ...featureOffences(source),
      ...roomOffences(source),
    ]).toHaveLength(1);
  });
});
