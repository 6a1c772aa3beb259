import { interestGroups, interests, type PromptKey, promptKeys } from '#contract/profiles/interests.ts';
import { prompts } from '#contract/profiles/prompts.ts';
import type { ListEntry, Lists } from '#contract/service/lists.ts';
import { presentBrand } from '../../brand.ts';
import { fill, i18n } from './i18n.ts';
import { language } from './text.ts';

const bare = (keys: readonly string[]): ListEntry[] => keys.map((key) => ({ key, words: {} }));
const usualGroups = Object.entries(interestGroups).map(([key, keys]) => ({ key, words: {}, entries: bare(keys) }));

/** The groups of interests to choose from: the owner's, or the product's own. */
export const groupsIn = (lists?: Lists): NonNullable<Lists['interests']> => lists?.interests ?? usualGroups;

/** The available choices: the owner's, or the product's own. */
export const choicesIn = (lists: Lists | undefined, kind: 'interest' | 'prompt'): ListEntry[] =>
  kind === 'prompt' ? (lists?.prompts ?? bare(promptKeys)) : groupsIn(lists).flatMap(({ entries }) => entries);

type Kind = 'interest' | 'group' | 'prompt';

/** The product's words for an interest, a group of interests or a prompt; undefined if it isn't one of its own. */
export function usualWords(kind: Kind, key: string): string | undefined {
  if (kind === 'prompt') return Object.hasOwn(prompts, key) ? i18n._(prompts[key as PromptKey]) : undefined;
  const isGroup = kind === 'group';
  const isUsual = isGroup ? Object.hasOwn(interestGroups, key) : (interests as readonly string[]).includes(key);
  return isUsual ? fill({ id: `${isGroup ? 'interests' : 'interest'}.${key}`, message: key }, {}) : undefined;
}

/** The owner's words in the reader's language, or else the product's, or else the key itself. */
export const entryName = (kind: Kind, { key, words }: ListEntry): string =>
  words[language] ?? usualWords(kind, key) ?? key;

function named(kind: 'interest' | 'prompt', key: string): string {
  const { lists } = presentBrand();
  const known =
    lists === undefined ? [] : [...choicesIn(lists, kind), ...lists.gone.filter((one) => one.kind === kind)];
  return entryName(kind, known.find((one) => one.key === key) ?? { key, words: {} });
}

/** An interest's name. */
export const interestName = (interest: string): string => named('interest', interest);

/** The start of a sentence that a prompt provides. */
export const promptText = (prompt: string): string => named('prompt', prompt);

/** The interests to choose from, by titled group, in their order. */
export const offeredInterests = (): { title: string; interests: string[] }[] =>
  groupsIn(presentBrand().lists).map((group) => ({
    title: entryName('group', group),
    interests: group.entries.map(({ key }) => key),
  }));

/** The prompts to choose from, in their order. */
export const offeredPrompts = (): string[] => choicesIn(presentBrand().lists, 'prompt').map(({ key }) => key);
