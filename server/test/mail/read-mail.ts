import { decodeWords, fromQuotedPrintable, linesOf, readHeaders, readMailboxes, type Header } from './headers.ts';

/** An email as a mail program reads it. */
export interface ReadMail {
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
