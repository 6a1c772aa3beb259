import { t } from '@lingui/core/macro';
import { folded } from '#contract/folding.ts';
import { languages } from '#contract/languages.ts';
import { interestGroups, interests, promptKeys } from '#contract/profiles/interests.ts';
import { listedMost, promptsMax } from '#contract/profiles/profile-details.ts';
import { entrySchemas } from '#contract/service/list-rules.ts';
import type { ListEntry, Lists } from '#contract/service/lists.ts';
import { choicesIn, groupsIn, usualWords } from '../../../ui/text/interest-words.ts';
import { language } from '../../../ui/text/text.ts';

type Kind = keyof typeof entrySchemas;

/** A line of a file that can't be used, and why. */
export interface LineError {
  line: number;
  reason: string;
}

/** The start of a remark on a line. */
const remark = ' // ';

/** An entry as a line, with a remark that contains the product's words in the reader's language, unless the entry has its own. */
function lineOf(kind: Kind, { key, words }: ListEntry): string {
  const usual = usualWords(kind, key);
  const line = [key, ...Object.entries(words).map(([one, text]) => `${one}: ${text}`)].join(' | ');
  return usual === undefined || usual === key || words[language] !== undefined ? line : line + remark + usual;
}

/** The lists as a file, which `readLists` reads. */
export function writeLists(lists: Lists): string {
  const groups = groupsIn(lists).flatMap((group) => [
    '',
    `## ${lineOf('group', group)}`,
    ...group.entries.map((entry) => lineOf('interest', entry)),
  ]);
  const prompts = choicesIn(lists, 'prompt').map((entry) => lineOf('prompt', entry));
  return ['# Interests', ...groups, '', '# Prompts', ...prompts, ''].join('\n');
}

const usualKeys: Record<Kind, readonly string[]> = {
  interest: interests,
  group: Object.keys(interestGroups),
  prompt: promptKeys,
};

/** The entry on a line, or the reason why there is none. */
function readEntry(kind: Kind, line: string): ListEntry | string {
  const [said = ''] = line.split(remark);
  const [name = '', ...cells] = said.split('|').map((cell) => cell.trim());
  const key = usualKeys[kind].find((one) => folded(one) === folded(name)) ?? name;
  const words: ListEntry['words'] = {};
  for (const cell of cells) {
    const [, code = '', text = ''] = /^([\w-]+)\s*:\s*(.*)$/.exec(cell) ?? [];
    const one = languages.find((known) => known.toLowerCase() === code.toLowerCase());
    if (one === undefined) return t`“${{ part: cell }}” doesn't begin with a language, as in “de: …”.`;
    words[one] = text;
  }
  const parsed = entrySchemas[kind].safeParse({ key, words });
  return parsed.success ? parsed.data : (parsed.error.issues[0]?.message ?? '');
}

interface Reading {
  groups: NonNullable<Lists['interests']>;
  prompts: ListEntry[];
  /** The list that the following lines belong to; undefined before the first heading. */
  list: 'interest' | 'prompt' | undefined;
  /** The line of each heading and entry. */
  lines: Map<string, number>;
}

const headings: ReadonlyMap<string, 'interest' | 'prompt'> = new Map([
  ['interests', 'interest'],
  ['prompts', 'prompt'],
]);

/** Reads a heading or an entry; returns why it can't be used, or null. */
function readLine(reading: Reading, text: string, line: number): string | null {
  const { groups, prompts, lines } = reading;
  const isNew = (name: string) => {
    const before = lines.get(name);
    lines.set(name, before ?? line);
    return before === undefined ? null : t`This is already in line ${{ line: before }}.`;
  };
  if (text.includes('\ufffd')) return t`This isn't in UTF-8. Save the file as UTF-8.`;
  const [, title] = /^#(?!#)\s*(.*)/.exec(text) ?? [];
  if (title !== undefined) {
    reading.list = headings.get(title.toLowerCase());
    return reading.list === undefined ? begins() : isNew(reading.list);
  }
  if (reading.list === undefined) return begins();
  const kind = text.startsWith('##') ? 'group' : reading.list;
  if (kind === 'group' && reading.list === 'prompt') return t`Prompts have no groups.`;
  if (kind === 'interest' && groups.length === 0) return t`Interests follow a group, as in “## Sport”.`;
  const entry = readEntry(kind, text.replace(/^##/, ''));
  if (typeof entry === 'string') return entry;
  if (kind === 'group') groups.push({ ...entry, entries: [] });
  else (kind === 'prompt' ? prompts : groups.at(-1)?.entries)?.push(entry);
  return isNew(`${kind} ${folded(entry.key)}`);
}

const begins = () => t`A list begins with “# Interests” or “# Prompts”.`;

/** Lists that are too short or too long, at the line of their heading. */
function sizesOf({ groups, prompts, lines }: Reading): LineError[] {
  const all = groups.flatMap(({ entries }) => entries);
  const sizes: [heading: string, list: readonly unknown[], least: number, most: number][] = [
    ['interest', all, 1, listedMost.interest],
    ...groups.map(({ key, entries }): [string, ListEntry[], number, number] => [
      `group ${folded(key)}`,
      entries,
      1,
      Infinity,
    ]),
    ['prompt', prompts, promptsMax, listedMost.prompt],
  ];
  return sizes.flatMap(([heading, { length }, least, most]) => {
    const line = lines.get(heading);
    if (line === undefined || (length >= least && length <= most)) return [];
    return [
      { line, reason: length < least ? t`Too few follow: at least ${least}.` : t`Too many follow: at most ${most}.` },
    ];
  });
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/**
 * Reads the lists of a file, and the lines that are wrong. A list that the file doesn't have is absent, and the product's own is null, so
 * that it follows later releases.
 */
export function readLists(file: string): { lists: Partial<Lists>; errors: LineError[] } {
  const reading: Reading = { groups: [], prompts: [], list: undefined, lines: new Map() };
  const rows = file.replace(/^\ufeff/, '').split(/\r\n?|\n/);
  const wrong = rows.flatMap((row, index): LineError[] => {
    const reason = row.trim() === '' ? null : readLine(reading, row.trim(), index + 1);
    return reason === null ? [] : [{ line: index + 1, reason }];
  });
  if (wrong.length === 0 && reading.lines.size === 0) wrong.push({ line: 1, reason: begins() });
  const lists = {
    ...(reading.lines.has('interest') && { interests: isSame(reading.groups, groupsIn()) ? null : reading.groups }),
    ...(reading.lines.has('prompt') && {
      prompts: isSame(reading.prompts, choicesIn(undefined, 'prompt')) ? null : reading.prompts,
    }),
  };
  return { lists, errors: wrong.length > 0 ? wrong : sizesOf(reading) };
}
