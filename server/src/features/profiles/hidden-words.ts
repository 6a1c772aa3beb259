import { msg } from '@lingui/core/runtime-macro';
import { type RawBuilder, sql } from 'kysely';
import { wordForm, wordsToFind } from '#contract/profiles/hidden-words.ts';
import type { Db } from '#platform/db/db.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { invalid } from '#platform/http/app-error.ts';
import { requireMember } from '#platform/session/caller.ts';

/** The words a member doesn't want to read, as typed. */
export async function hiddenWordsOf(db: Db, accountId: string): Promise<string[]> {
  const row = await db
    .selectFrom('hidden_words')
    .select('words')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row?.words ?? [];
}

/** The pattern that finds the words in the searched form of a profile. */
export const patternOf = (words: readonly string[]): string => wordsToFind(words).join('|');

/**
 * Replaces the caller's hidden words and returns them. Words in several spellings are stored once. Throws 403 for staff, and 400 for words
 * that can't be found in a text, such as `!!`.
 */
export async function putHiddenWords(
  { tx, caller }: CommandContext,
  { words: given }: { words: string[] },
): Promise<string[]> {
  requireMember(caller);
  const unfindable = given.find((word) => wordsToFind([word]).length === 0);
  if (unfindable !== undefined)
    throw invalid('words', msg`“${{ word: unfindable }}” can't be found in texts. Use letters, digits or emojis.`);
  const forms = given.map(wordForm);
  const words = given.filter((_, at) => forms.indexOf(forms[at] ?? '') === at);
  const pattern = patternOf(words);
  if (pattern === '') {
    await tx.deleteFrom('hidden_words').where('account_id', '=', caller.accountId).execute();
    return [];
  }
  const row = { words, pattern };
  await tx
    .insertInto('hidden_words')
    .values({ account_id: caller.accountId, ...row })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(row))
    .execute();
  return row.words;
}

/** The pattern of a member's hidden words; null without any. */
export async function hiddenPatternOf(db: Db, accountId: string): Promise<string | null> {
  const row = await db
    .selectFrom('hidden_words')
    .select('pattern')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row?.pattern ?? null;
}

/**
 * A condition: nothing on this person's profile contains a hidden word of the member. Use it only for people the member could see
 * anyway: if it changed a number of likes, it would reveal who likes them.
 */
export const hasNoHiddenWord = (memberId: string, id: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`not coalesce(logic.has_hidden_word(
    (select h.pattern from hidden_words h where h.account_id = ${memberId}::uuid), ${id}), false)`;
