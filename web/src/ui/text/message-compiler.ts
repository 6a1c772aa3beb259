type Token = string | [name: string] | [name: string, type: 'plural', cases: Record<string, Token[]>];

const placeholder = /^\w+$/;

/** The index just after the brace that closes the one at `open`. */
function closing(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    if (text[at] === '{') depth += 1;
    if (text[at] === '}') depth -= 1;
    if (depth === 0) return at + 1;
  }
  throw new Error(`Unbalanced braces in the text: ${text}`);
}

function parseCases(text: string): Record<string, Token[]> {
  const cases: Record<string, Token[]> = {};
  let rest = text.trim();
  while (rest !== '') {
    const open = rest.indexOf('{');
    const end = closing(rest, open);
    cases[rest.slice(0, open).trim().replace(/^=/, '')] = parse(rest.slice(open + 1, end - 1), true);
    rest = rest.slice(end).trim();
  }
  return cases;
}

function parseArgument(inside: string): Token {
  const [name = '', type, ...cases] = inside.split(',').map((part) => part.trim());
  if (type === undefined && placeholder.test(name)) return [name];
  if (type === 'plural') return [name, 'plural', parseCases(cases.join(','))];
  throw new Error(`Not understood in a text: {${inside}}`);
}

function parse(text: string, inPlural = false): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    const open = text.indexOf('{', at);
    const plain = text.slice(at, open === -1 ? undefined : open);
    if (plain !== '') tokens.push(...(inPlural ? plain.split(/(#)/).filter((part) => part !== '') : [plain]));
    if (open === -1) break;
    const end = closing(text, open);
    tokens.push(parseArgument(text.slice(open + 1, end - 1)));
    at = end;
  }
  return tokens;
}

const compiled = new Map<string, Token[]>();

/** Lingui's compiled form of a text with `{name}` and `{n, plural, one {# user} other {# users}}`; the same form its own compiler makes, in a tenth of the bytes. */
export function compileMessage(text: string): Token[] {
  const known = compiled.get(text);
  if (known) return known;
  const tokens = parse(text);
  compiled.set(text, tokens);
  return tokens;
}
