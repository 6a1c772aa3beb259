import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { requestLimits } from '#contract/constants.ts';
import { projectRoot } from '../../../../launcher/command.ts';
import { filesBelow } from '../../../../scripts/import-graph.ts';
import { decodedAtOnce, decodeWithin } from '../../../src/features/media/image.ts';
import { repackWithin } from '../../../src/features/media/voice.ts';

const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8');
const folders = ['contract', 'server', 'web', 'demo', 'launcher', 'lab', 'e2e', 'deploy', 'scripts', 'docs'];
const documents = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'server/migrations/README.md',
  ...filesBelow(['docs'], /\.md$/),
];
const { scripts, version } = JSON.parse(read('package.json')) as { scripts: Record<string, string>; version: string };

const files = filesBelow(folders, /./).filter((path) => !path.endsWith('/documents.test.ts'));
const names = new Set(files.map((path) => basename(path)));
/** Everything that could define a name that a document mentions. */
const sources = [
  ...files.filter((path) => /\.(tsx?|mjs|sql|ya?ml|html|json|example|service|sh)$|Dockerfile$/.test(path)),
  'package.json',
]
  .map(read)
  .join('\n');
const words = new Set(sources.match(/[\w$]+/g));
/** Names from other programs, settings that the documents abbreviate, and the formula's terms. */
const foreign = new Set([
  ...['archive_command', 'archive_mode', 'default_pool_size', 'huge_pages', 'loop_wait', 'master_start_timeout'],
  ...['max_connections', 'max_prepared_statements', 'max_standby_streaming_delay', 'pause_collection'],
  ...['pg_cancel_backend', 'random_page_cost', 'retry_timeout', 'server_login_retry', 'shared_buffers'],
  ...[
    'shared_preload_libraries',
    'query_timeout',
    'handlerTimeout',
    'GRAPH_190',
    'a_ij',
    'q_ij',
    'away_j',
    'pending_j',
    'cap_j',
  ],
]);

/** The words in backticks, except in code blocks. */
const quoted = (text: string) =>
  [...text.replace(/```[\s\S]*?```/g, '').matchAll(/`([^`\n]+)`/g)].map(([, word = '']) => word);

/** Whether a quoted word looks like a path or a name in this repository, but isn't one. */
function isUnknown(word: string, from: string): boolean {
  if (/[<*…$]|NNNN/.test(word) || foreign.has(word.replace(/\(.*/, '')) || word.startsWith('dist/')) return false;
  const path = word.replace(/\/$/, '');
  if (/^[\w.@-]+(\/[\w.@-]+)+$/.test(path) && (folders.includes(path.split('/')[0] ?? '') || /\.\w+$/.test(path)))
    return (
      ![projectRoot, join(projectRoot, dirname(from))].some((base) => existsSync(join(base, path))) && !endsAFile(path)
    );
  if (/^[\w.-]+\.(tsx?|mjs|sql|css|csv|md|ya?ml|svg|html)$/.test(word)) return !names.has(word);
  const call =
    /^(?:GET|POST|PUT|PATCH|DELETE) (\S+)/.exec(word)?.[1] ?? (/^\/[a-z][\w/{}.-]*$/.test(word) ? word : null);
  if (call !== null)
    return !/^\/(etc|usr|var|tmp|opt|data|proc)\b/.test(call) && !sources.includes(call.replace(/^\/api\/v1/, ''));
  if (/^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$/.test(word)) return !words.has(word);
  if (/^[a-z]+(?:[A-Z]\w*|(?:_[a-z0-9]+)+)(\(.*\))?$/.test(word)) return !words.has(word.replace(/\(.*/, ''));
  return false;
}

const endsAFile = (path: string) => files.some((file) => file.endsWith(`/${path}`));

const headings = (text: string) =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .trim()
      .replace(/\s+/g, '-'),
  );

/** Links to files and headings of the repository that don't exist. */
function brokenLinks(from: string, text: string): string[] {
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^https?:/.test(target))
    .filter((target) => {
      const [page = '', anchor] = target.split('#');
      const path = page === '' ? from : join(dirname(from), page);
      if (!existsSync(join(projectRoot, path))) return true;
      return anchor !== undefined && !headings(read(path)).includes(anchor);
    });
}

/** The columns of a line of comma-separated values, of which some are quoted. */
const cellsOf = (line: string) =>
  [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quotedCell, cell]) => quotedCell ?? cell ?? '');

describe.each(documents)('%s', (path) => {
  const text = read(path);

  it('names only files, endpoints, settings and functions that exist', () => {
    expect([...new Set(quoted(text))].filter((word) => isUnknown(word, path))).toEqual([]);
  });

  it('links only to pages and headings that exist', () => {
    expect(brokenLinks(path, text)).toEqual([]);
  });

  it('names only scripts that package.json has, and runs them with the installed Node version', () => {
    const named = [...text.matchAll(/\bnpm run ([\w:]+)/g)].map(([, name = '']) => name);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
    // The image contains only Node 24.
    const typed = text.split('\n').filter((line) => /\bnode server\/src\//.test(line));
    expect(typed.filter((line) => !line.startsWith('docker compose run '))).toEqual([]);
    const started = [...text.matchAll(/\bnode ((?:lab|scripts|server|launcher)\/\S+\.(?:ts|mjs))/g)].map(
      ([, file = '']) => file,
    );
    expect(started.filter((file) => !existsSync(join(projectRoot, file)))).toEqual([]);
  });
});

describe('docs/operating/settings.md', () => {
  it('lists every setting that the configuration reads, with the sections it leads to', () => {
    const config = filesBelow(['server/src/platform/config'], /\.ts$/).filter((path) => !path.endsWith('.test.ts'));
    const settings = new Set(
      config.flatMap((path) =>
        [...read(path).matchAll(/'([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)'/g)].map(([, name = '']) => name),
      ),
    );
    const text = read('docs/operating/settings.md') + read('docs/operating.md');
    const missing = [...settings].filter(
      (name) => !text.includes(name) && !text.includes(`\`${name.replace(/^PREMIUM_PRICE/, '')}\``),
    );
    // Only tests may set it, and production refuses it.
    expect(missing).toEqual(['STRIPE_API_BASE']);
    expect(settings.size).toBeGreaterThan(40);
  });
});

describe('docs/architecture.md', () => {
  /** The first words of the list items below a heading. */
  const namesBelow = (heading: string) => {
    const [, section = ''] = read('docs/architecture.md').split(`\n## ${heading}\n`);
    return [...section.replace(/\n## [^]*/, '').matchAll(/^- `([\w-]+)`/gm)].map(([, name]) => name).sort();
  };

  it('lists every event between features', () => {
    const [, declared = ''] = /export interface Events \{\n([^]*?)\n\}/.exec(read('server/src/events.ts')) ?? [];
    expect(namesBelow('Reactions')).toEqual([...declared.matchAll(/^ {2}(\w+): /gm)].map(([, name]) => name).sort());
  });

  it('lists every room of moderation', () => {
    const rooms = files.flatMap((path) => /^server\/src\/features\/moderation\/([\w-]+)\//.exec(path)?.[1] ?? []);
    expect(namesBelow('Order of the features')).toEqual([...new Set(rooms)].sort());
  });
});

describe('the version of package.json', () => {
  it.each([
    ['package-lock.json', /"version": "([\d.]+)"/],
    ['CHANGELOG.md', /^## \[([\d.]+)\] - \d{4}-\d\d-\d\d$/m],
    ['docs/operating/first-server.md', /git clone --branch v([\d.]+) .*-v\1\ncd \/opt\/heartwood-v\1 /],
    ['docs/operating.md', /git clone --branch v([\d.]+) /],
    ['deploy/kubernetes/kustomization.yaml', /newTag: v([\d.]+) /],
  ])('is the same as in %s', (path, pattern) => {
    expect(pattern.exec(read(path))?.[1]).toBe(version);
  });
});

describe('docs/security.md', () => {
  const { export: lists, receipt, transparency } = requestLimits;
  const inWords: Record<number, string> = { 2: 'two', 10: 'ten' };

  it.each([
    `**Decoding pictures:** ${inWords[decodedAtOnce]} processes, killed after ${decodeWithin.processorMs / 1000} s;`,
    `**Reading voice messages:** ${inWords[decodedAtOnce]} processes, killed after ${repackWithin.processorMs / 1000} s of work;`,
    `**Staff's CSV and receipts:** ${inWords[lists.requests]} exports and ${receipt.requests} receipts an hour;`,
    `**Files of transparency reports:** ${transparency.requests} an hour per network;`,
  ])('states a limit of costly work as it is: %s', (line) => {
    expect(read('docs/security.md')).toContain(line);
    for (const { perSeconds } of [lists, receipt, transparency]) expect(perSeconds).toBe(3600);
  });
});

describe('docs/security.csv', () => {
  const [head = [], ...rows] = read('docs/security.csv').trimEnd().split('\n').map(cellsOf);
  const column = (row: string[], name: string) => row[head.indexOf(name)] ?? '';

  it('lists each requirement once, with what was done or why not', () => {
    const numbers = rows.map((row) => column(row, 'requirement'));
    expect(new Set(numbers).size).toBe(rows.length);
    expect(rows.filter((row) => column(row, 'how').length < 12)).toEqual([]);
    expect(rows.length).toBeGreaterThan(200);
  });

  it('names files that exist, and a test for each requirement that is met', () => {
    const paths = rows.flatMap((row) => `${column(row, 'code')} ${column(row, 'tests')}`.split(' ')).filter(Boolean);
    expect(paths.filter((path) => !existsSync(join(projectRoot, path)))).toEqual([]);
    const untested = rows.filter(
      (row) => ['met', 'partly met'].includes(column(row, 'status')) && !/\.test\.tsx?\b/.test(column(row, 'tests')),
    );
    expect(untested).toEqual([]);
  });

  it('has a date for each requirement that is not fully met', () => {
    const undated = rows.filter(
      (row) => ['partly met', 'not met'].includes(column(row, 'status')) && column(row, 'reviewed') === '',
    );
    expect(undated).toEqual([]);
  });
});

describe('the document check', () => {
  it.each([
    ['a missing file', 'server/src/gone.ts'],
    ['a missing folder', 'lab/gone/'],
    ['a missing file without its folder', 'gone-file.ts'],
    ['an unknown endpoint', 'POST /likes-of-nobody/{id}'],
    ['an unknown page', '/app/gone-page'],
    ['an unknown setting', ['HEARTWOOD', 'GONE'].join('_')],
    ['an unknown function', ['gone', 'Function'].join('')],
  ])('detects %s', (_, word) => {
    expect(isUnknown(word, 'docs/web.md')).toBe(true);
  });

  it('detects a broken link and a missing heading', () => {
    const gone = ['gone', 'md'].join('.');
    const text = `[a](${gone}) [b](operating.md#gone) [c](operating.md#settings)`;
    expect(brokenLinks('docs/web.md', text)).toEqual([gone, 'operating.md#gone']);
  });
});
