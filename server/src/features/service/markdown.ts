import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/runtime-macro';
import { Lexer, type Token, type Tokens } from 'marked';
import type { TextBlock, TextRun } from '#contract/service/texts.ts';
import { parseUrl } from '#contract/url.ts';

/** The elements of Markdown that the pages can show; anything else would be lost from a text that people agree to. */
const blockTypes = new Set(['heading', 'paragraph', 'list', 'space']);
const inlineTypes = new Set(['text', 'escape', 'strong', 'em', 'link', 'br', 'paragraph']);

const isLinkable = (href: string) =>
  /^\/(?![/\\\s])/.test(href) || ['https:', 'mailto:', 'tel:'].includes(parseUrl(href)?.protocol ?? '');

const itemsOf = (token: Token): Tokens.ListItem[] => (token as Tokens.List).items;
const within = (token: Token): Token[] => ('tokens' in token ? (token.tokens ?? []) : []);
const inlineOf = (token: Token): Token[] =>
  token.type === 'list' ? itemsOf(token).flatMap(({ tokens }) => tokens) : within(token);
const allIn = (tokens: Token[]): Token[] => tokens.flatMap((token) => [token, ...allIn(within(token))]);
const blocksIn = (markdown: string) => new Lexer({ gfm: true }).lex(markdown).filter(({ type }) => type !== 'space');

type Style = Omit<TextRun, 'text'>;

function runsOf(tokens: Token[], style: Style = {}): TextRun[] {
  return tokens.flatMap((token) => {
    if (token.type === 'br') return [{ text: '\n', ...style }];
    const parts = within(token);
    if (parts.length === 0) return [{ text: (token as Tokens.Text).text, ...style }];
    const own: Style = {
      ...(token.type === 'strong' && { isBold: true }),
      ...(token.type === 'em' && { isItalic: true }),
      ...(token.type === 'link' && { href: token['href'] as string }),
    };
    return runsOf(parts, { ...style, ...own });
  });
}

function toBlock(token: Token): TextBlock {
  if (token.type === 'list') {
    return {
      kind: token['ordered'] === true ? 'numbers' : 'bullets',
      lines: itemsOf(token).map(({ tokens }) => runsOf(tokens)),
    };
  }
  const kind = token.type !== 'heading' ? 'paragraph' : token['depth'] === 2 ? 'heading2' : 'heading3';
  return { kind, lines: [runsOf(within(token))] };
}

/** The elements of a text as its page shows them. */
export const blocksOf = (markdown: string): TextBlock[] => blocksIn(markdown).map(toBlock);

/** How deep each heading is, in their order, which is the same in every translation. */
export const outlineOf = (markdown: string): string =>
  blocksIn(markdown)
    .flatMap((token) => (token.type === 'heading' ? [token['depth'] as number] : []))
    .join();

/** Characters that can have a meaning in Markdown. */
const signs = /[*_~`[\]<>!\\&|]/g;
/** The most of these characters in a paragraph or a list item. The time to parse them grows with the square of their number. */
const mostSigns = 100;
const partsOf = /\r?\n[ \t]*\r?\n|\n(?=[ \t]*(?:[-*+]|\d{1,9}[.)]) )/;
/** Lists and quotes nested more deeply than any page shows. */
const isNested = /^(?:(?: {0,3}>){5}|(?: {0,3}(?:[-*+>]|\d{1,9}[.)]) ){5})/m;

/** The part of a text that would take too long to parse, if there is one. */
function tooManySigns(markdown: string): string | undefined {
  const parts = markdown.split(partsOf);
  return parts.find((part) => isNested.test(part) || (part.match(signs)?.length ?? 0) > mostSigns);
}

/**
 * Why a text can't be published, or null: it has elements that its page can't show or would number differently, or headings that a screen
 * reader could not follow.
 */
export function problemOf(markdown: string): MessageDescriptor | null {
  const costly = tooManySigns(markdown);
  if (costly !== undefined) return cannotShow({ raw: costly });
  const blocks = blocksIn(markdown);
  const inline = allIn(blocks.flatMap(inlineOf));
  const unknown = blocks.find(({ type }) => !blockTypes.has(type)) ?? inline.find(({ type }) => !inlineTypes.has(type));
  if (unknown !== undefined) return cannotShow(unknown);
  const list = blocks.find((token) => token.type === 'list' && token['ordered'] === true && token['start'] !== 1);
  if (list !== undefined) return msg`A numbered list begins with 1: ${{ text: shortened(list) }}`;
  const wordless = inline.find((token) => token.type === 'link' && (token['text'] as string).trim() === '');
  if (wordless !== undefined) return msg`A link has no words: ${{ text: shortened(wordless) }}`;
  const link = inline.find((token) => token.type === 'link' && !isLinkable(token['href'] as string));
  if (link !== undefined)
    return msg`Links begin with https:, mailto:, tel:, or / for a page of this service: ${{ text: shortened(link) }}`;
  return headingProblem(blocks);
}

const shortened = ({ raw }: Pick<Token, 'raw'>) => raw.trim().slice(0, 60);

const cannotShow = (part: Pick<Token, 'raw'>) =>
  msg`Use only headings, paragraphs, simple lists, links, bold and italics. This can’t be shown: ${{ text: shortened(part) }}`;

function headingProblem(blocks: Token[]): MessageDescriptor | null {
  let isInSection = false;
  for (const [index, token] of blocks.entries()) {
    if (token.type !== 'heading') continue;
    const [depth, title] = [token['depth'] as number, (token['text'] as string).trim()];
    if (title === '') return msg`A heading is empty.`;
    if (depth !== 2 && !(depth === 3 && isInSection))
      return msg`Sections begin with “## ”, and parts of a section with “### ”: ${{ title }}`;
    isInSection = true;
    const next = blocks[index + 1];
    if (next === undefined || (next.type === 'heading' && (next['depth'] as number) <= depth))
      return msg`Write something below the heading: ${{ title }}`;
  }
  return isInSection ? null : msg`Give the text at least one section, with a heading that begins with “## ”.`;
}
