import type { Plugin } from 'vite';

/** The parts of an endpoint's declaration that only the server and the tests read. */
const notForClients = [
  'summary',
  'access',
  'status',
  'limit',
  'beforeSecondFactor',
  'params',
  'query',
  'response',
  'errors',
];

interface Node {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

/** Every node below this one, itself included. */
function* nodesOf(node: Node): Generator<Node> {
  yield node;
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? (value as unknown[]) : [value]) if (isNode(child)) yield* nodesOf(child);
  }
}

interface Cut {
  from: number;
  to: number;
}

const without = (code: string, cuts: Cut[]) =>
  cuts.reduceRight((text, { from, to }) => text.slice(0, from) + text.slice(to), code);

/** The ranges of the properties to leave out, each up to the start of the next one. */
function cutsOf(program: Node, idle: string[]): Cut[] {
  const declarations = [...nodesOf(program)].filter(
    ({ type, callee }) => type === 'CallExpression' && isNode(callee) && callee['name'] === 'endpoint',
  );
  return declarations.flatMap((call) => {
    const [declared] = call['arguments'] as Node[];
    const properties = (declared?.['properties'] ?? []) as (Node & { key?: { name?: string } })[];
    return properties.flatMap(({ key, start }, index) =>
      declared && idle.includes(key?.name ?? '')
        ? [{ from: start, to: properties[index + 1]?.start ?? declared.end - 1 }]
        : [],
    );
  });
}

/** The imports whose names are no longer used. */
function idleImportsOf(program: Node): Cut[] {
  const statements = program['body'] as Node[];
  const imports = statements.filter(({ type }) => type === 'ImportDeclaration');
  const rest = statements.filter(({ type }) => type !== 'ImportDeclaration').flatMap((node) => [...nodesOf(node)]);
  const used = new Set(rest.filter(({ type }) => type === 'Identifier').map((node) => node['name']));
  return imports
    .filter(({ specifiers }) =>
      (specifiers as { local: { name: string } }[]).every(({ local }) => !used.has(local.name)),
    )
    .map(({ start, end }) => ({ from: start, to: end }));
}

/** The module's constants that nothing in it uses any more and that aren't exported. */
function idleConstantsOf(program: Node): Cut[] {
  const statements = program['body'] as Node[];
  return statements
    .filter(({ type }) => type === 'VariableDeclaration')
    .filter((statement) => {
      const [declared] = statement['declarations'] as (Node & { id: { name?: string } })[];
      const others = statements.filter((other) => other !== statement).flatMap((other) => [...nodesOf(other)]);
      return !others.some(({ type, name }) => type === 'Identifier' && name === declared?.id.name);
    })
    .map(({ start, end }) => ({ from: start, to: end }));
}

const isFunction = ({ type }: Node) => /Function/.test(type);

/** The calls that run when the module is loaded. */
function* callsOf(node: Node): Generator<Node> {
  if (isFunction(node)) return;
  if (node.type === 'CallExpression') yield node;
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? (value as unknown[]) : [value]) if (isNode(child)) yield* callsOf(child);
  }
}

/** The code with a mark on each of these calls that says it can be removed if its result isn't used. */
function marked(code: string, program: Node): string {
  const marks = [...callsOf(program)].flatMap(({ start, end }) => [
    { at: start, text: '(/* @__PURE__ */ ' },
    { at: end, text: ')' },
  ]);
  // At the same position, ends before starts, and outer starts before inner ones.
  marks.sort((one, other) => one.at - other.at || Number(one.text !== ')') - Number(other.text !== ')'));
  let done = 0;
  const parts = marks.flatMap(({ at, text }) => {
    const part = code.slice(done, at);
    done = at;
    return [part, text];
  });
  return [...parts, code.slice(done)].join('');
}

/** The code without its unused constants, including those that only unused ones refer to. */
function withoutIdle(code: string, parse: (code: string) => Node): string {
  const cuts = idleConstantsOf(parse(code));
  return cuts.length === 0 ? code : withoutIdle(without(code, cuts), parse);
}

/** Ends the address of a contract's module with the bodies of its endpoints; without it, they are left out. */
const withBodies = '?bodies';

/** The code with each `x.body` of an endpoint that it imports taken from the module with bodies. */
function checkingBodies(code: string, program: Node): string {
  const imports = (program['body'] as Node[]).filter(({ type }) => type === 'ImportDeclaration');
  const endpoints = imports.flatMap(({ source, specifiers }) => {
    const { value: from } = source as { value: string };
    const names = (specifiers as { local: { name: string } }[]).map(({ local }) => local.name);
    return from.startsWith('#contract/') ? names.map((name) => ({ name, from })) : [];
  });
  return endpoints.reduce((text, { name, from }) => {
    const use = `${name}.body`;
    const parts = text.split(new RegExp(`(?<![\\w.$])${use}\\b`));
    if (parts.length === 1) return text;
    return `import { ${name} as ${name}WithBody } from '${from}${withBodies}';\n${parts.join(`${name}WithBody.body`)}`;
  }, code);
}

/**
 * Removes the parts of the contract that the built app never reads: it sends requests, and doesn't check answers
 * against schemas. Imports that become unused are removed as well, since declarations have no side effects. Bodies, against which
 * forms check their values, come from a module apart: a page without a form needs no schemas.
 */
export function clientContract(): Plugin[] {
  const apply = 'build';
  return [
    {
      name: 'heartwood-client-contract',
      apply,
      transform: {
        filter: { id: /\/contract\/src\/[\w/-]+\.ts(\?bodies)?$/ },
        handler(code, id) {
          const parse = (text: string) => this.parse(text) as unknown as Node;
          const idle = id.endsWith(withBodies) ? notForClients : [...notForClients, 'body'];
          const declared = withoutIdle(without(code, cutsOf(parse(code), idle)), parse);
          const kept = without(declared, idleImportsOf(parse(declared)));
          return { code: marked(kept, parse(kept)), map: null, moduleSideEffects: false };
        },
      },
    },
    {
      name: 'heartwood-client-contract-bodies',
      apply,
      transform: {
        filter: { id: /\/web\/src\/.+\.tsx?$/, code: /\.body\b/ },
        handler(code) {
          return { code: checkingBodies(code, this.parse(code) as unknown as Node), map: null };
        },
      },
    },
  ];
}
