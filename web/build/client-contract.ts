import type { Plugin } from 'vite';

/** What only the server and the tests read of an endpoint's declaration. */
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

/** The places of the properties to leave out, each up to where the next one begins. */
function cutsOf(program: Node): Cut[] {
  const declarations = [...nodesOf(program)].filter(
    ({ type, callee }) => type === 'CallExpression' && isNode(callee) && callee['name'] === 'endpoint',
  );
  return declarations.flatMap((call) => {
    const [declared] = call['arguments'] as Node[];
    const properties = (declared?.['properties'] ?? []) as (Node & { key?: { name?: string } })[];
    return properties.flatMap(({ key, start }, index) =>
      declared && notForClients.includes(key?.name ?? '')
        ? [{ from: start, to: properties[index + 1]?.start ?? declared.end - 1 }]
        : [],
    );
  });
}

/** The imports none of whose names is used any more. */
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

/** The constants of the module that nothing in it names any more, and nobody outside can. */
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

/** The calls that run when the module does. */
function* callsOf(node: Node): Generator<Node> {
  if (isFunction(node)) return;
  if (node.type === 'CallExpression') yield node;
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? (value as unknown[]) : [value]) if (isNode(child)) yield* callsOf(child);
  }
}

/** The code with a mark on each of these calls that it can be left out where nobody wants what it answers. */
function marked(code: string, program: Node): string {
  const marks = [...callsOf(program)].flatMap(({ start, end }) => [
    { at: start, text: '(/* @__PURE__ */ ' },
    { at: end, text: ')' },
  ]);
  // Of what ends at a place first, then what begins there, the outermost before what it begins with.
  marks.sort((one, other) => one.at - other.at || Number(one.text !== ')') - Number(other.text !== ')'));
  let done = 0;
  const parts = marks.flatMap(({ at, text }) => {
    const part = code.slice(done, at);
    done = at;
    return [part, text];
  });
  return [...parts, code.slice(done)].join('');
}

/** The code without its idle constants, also those that only idle ones named. */
function withoutIdle(code: string, parse: (code: string) => Node): string {
  const cuts = idleConstantsOf(parse(code));
  return cuts.length === 0 ? code : withoutIdle(without(code, cuts), parse);
}

/**
 * Leaves out of the built app what it never reads of the contract: it sends requests, and holds no answer to a schema.
 * What nobody imports any more goes with it: declaring does nothing.
 */
export function clientContract(): Plugin {
  return {
    name: 'heartwood-client-contract',
    apply: 'build',
    transform: {
      filter: { id: /\/contract\/src\/[\w/-]+\.ts$/ },
      handler(code) {
        const parse = (text: string) => this.parse(text) as unknown as Node;
        const declared = withoutIdle(without(code, cutsOf(parse(code))), parse);
        const kept = without(declared, idleImportsOf(parse(declared)));
        return { code: marked(kept, parse(kept)), map: null, moduleSideEffects: false };
      },
    },
  };
}
