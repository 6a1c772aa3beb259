/** An email as a mail program reads it. */
interface ReadMail {
  headers: Header[];
  /** The only header with this name, or null. Throws if there are two. */
  header(name: string): string | null;
  /** The mailboxes of an address header. */
  mailboxes(name: string): ReturnType<typeof readMailboxes>;
  subject: string;
  text: string;
  html: string;
}

/**
 * Reads an email strictly by RFC 5322, 2045 and 2047, independently of the library that wrote it: throws for anything
 * these forbid and a tolerant mail program might interpret differently from what the writer meant.
 */
export function readMail(source: string): ReadMail {
  const { headers, body } = readHeaders(linesOf(source));
  const header = (name: string) => only(headers, name);
  if (header('mime-version') !== '1.0') throw new Error('not MIME');
  const parts = partsOf(headers, body);
  return {
    headers,
    header,
    mailboxes: (name) => readMailboxes(header(name) ?? ''),
    subject: decodeWords(header('subject') ?? ''),
    text: parts.get('text/plain') ?? '',
    html: parts.get('text/html') ?? '',
  };
}

function only(headers: readonly Header[], name: string): string | null {
  const found = headers.filter((header) => header.name === name.toLowerCase());
  if (found.length > 1) throw new Error(`${found.length} headers ${name}`);
  return found[0]?.value ?? null;
}

/** The texts of an email by their type. */
function partsOf(headers: readonly Header[], body: readonly string[]): Map<string, string> {
  const [type = '', ...parameters] = (only(headers, 'content-type') ?? 'text/plain').split(/;[ \t]*/);
  const parameter = (name: string) =>
    parameters.find((given) => given.toLowerCase().startsWith(`${name}=`))?.replaceAll(/^[^=]*=|"/g, '') ?? null;
  if (!type.startsWith('multipart/')) return new Map([[type, decodeBody(headers, body, parameter('charset'))]]);
  const boundary = parameter('boundary');
  if (boundary === null || body.findLast((line) => line !== '') !== `--${boundary}--`)
    throw new Error('no last boundary');
  const parts = new Map<string, string>();
  let part: string[] | null = null;
  for (const line of body) {
    if (line !== `--${boundary}` && line !== `--${boundary}--`) {
      part?.push(line);
      continue;
    }
    if (part !== null) {
      const inner = readHeaders(part);
      for (const [innerType, text] of partsOf(inner.headers, inner.body)) parts.set(innerType, text);
    }
    part = [];
  }
  return parts;
}

function decodeBody(headers: readonly Header[], body: readonly string[], charset: string | null): string {
  const encoding = only(headers, 'content-transfer-encoding') ?? '7bit';
  const text = body.join('\r\n');
  const decoder = new TextDecoder(charset ?? 'us-ascii', { fatal: true });
  if (encoding === 'quoted-printable') return decoder.decode(fromQuotedPrintable(text));
  if (encoding === 'base64') return decoder.decode(Buffer.from(text, 'base64'));
  if (encoding !== '7bit' || !/^[\t\r\n\x20-\x7e]*$/.test(text)) throw new Error(`not ${encoding}`);
  return text;
}

/** One header of an email, unfolded; its name in lower case. */
export interface Header {
  name: string;
  value: string;
}

/** A mailbox in an address list: its decoded name, and its address as it was written. */
interface ReadMailbox {
  name: string;
  address: string;
}

const longestLine = 998;

/**
 * The lines of an email. Throws for anything that RFC 5322 forbids in a line: a bare line break, a NUL, or more than
 * 998 octets.
 */
export function linesOf(source: string): string[] {
  const lines = source.split('\r\n');
  for (const line of lines) {
    if (/[\r\n\0]/.test(line)) throw new Error('a bare line break or a NUL');
    if (Buffer.byteLength(line) > longestLine) throw new Error(`a line of ${Buffer.byteLength(line)} octets`);
  }
  return lines;
}

/** The headers before the first empty line, and the lines after it. Throws for a malformed header or one that isn't ASCII. */
function readHeaders(lines: readonly string[]): { headers: Header[]; body: string[] } {
  const end = lines.indexOf('');
  const headers: Header[] = [];
  for (const line of lines.slice(0, end === -1 ? lines.length : end)) {
    if (!/^[\t\x20-\x7e]+$/.test(line)) throw new Error(`not printable ASCII: ${line}`);
    const last = headers.at(-1);
    if (/^[\t ]/.test(line)) {
      if (last === undefined || line.trim() === '') throw new Error('a folded line that continues nothing');
      last.value += line;
      continue;
    }
    const [, name, value] = /^([\x21-\x39\x3b-\x7e]+):(.*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) throw new Error(`not a header: ${line}`);
    headers.push({ name: name.toLowerCase(), value });
  }
  return {
    headers: headers.map(({ name, value }) => ({ name, value: value.trim() })),
    body: end === -1 ? [] : lines.slice(end + 1),
  };
}

/** Text with the encoded words of RFC 2047 decoded. Throws for a word over 75 characters, and for bytes that aren't UTF-8. */
function decodeWords(text: string): string {
  const words = /=\?([^?\s]+)\?([bqBQ])\?([^?\s]*)\?=/g;
  return text
    .replaceAll(/(=\?[^?\s]+\?[bqBQ]\?[^?\s]*\?=)[ \t]+(?==\?[^?\s]+\?[bqBQ]\?)/g, '$1')
    .replaceAll(words, (word, charset: string, encoding: string, content: string) => {
      if (word.length > 75) throw new Error(`an encoded word of ${word.length} characters`);
      const bytes =
        encoding.toUpperCase() === 'B'
          ? Buffer.from(content, 'base64')
          : fromQuotedPrintable(content.replaceAll('_', '=20'));
      return new TextDecoder(charset, { fatal: true }).decode(bytes);
    });
}

/** The bytes of a quoted-printable string, with `=XX` and soft line breaks. */
function fromQuotedPrintable(text: string): Buffer {
  const joined = text.replaceAll(/[ \t]+(?=\r\n|$)/g, '').replaceAll('=\r\n', '');
  return Buffer.from(
    joined.replaceAll(/=([0-9A-F]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    'latin1',
  );
}

const atom = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]+/;
const quoted = /^"(?:[^"\\\r\n]|\\[\x20-\x7e\t])*"/;

/** The mailboxes of an address list (RFC 5322, 3.4). Throws for anything that isn't one, such as a group or a comment. */
function readMailboxes(value: string): ReadMailbox[] {
  const mailboxes: ReadMailbox[] = [];
  let rest = value.trim();
  const take = (pattern: RegExp | string): string | null => {
    const found = typeof pattern === 'string' ? (rest.startsWith(pattern) ? pattern : null) : pattern.exec(rest)?.[0];
    if (found === undefined || found === null) return null;
    rest = rest.slice(found.length);
    return found;
  };
  const skipBlanks = () => take(/^[ \t]*/);
  const must = (part: string | null): string => {
    if (part === null) throw new Error(`not an address list: ${value}`);
    return part;
  };
  for (;;) {
    const words: string[] = [];
    let address: string | null = null;
    while (address === null) {
      skipBlanks();
      if (take('<') !== null) {
        address = must(take(atom)) + must(take('@')) + must(take(atom));
        must(take('>'));
      } else {
        const word = take(quoted);
        words.push(word === null ? must(take(atom)) : word.slice(1, -1).replaceAll(/\\(.)/g, '$1'));
        if (words.length === 1 && word === null && take('@') !== null) address = `${words.pop()}@${must(take(atom))}`;
      }
    }
    mailboxes.push({ name: decodeWords(words.join(' ')), address });
    skipBlanks();
    if (rest === '') return mailboxes;
    must(take(','));
  }
}
