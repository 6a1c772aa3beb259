import { msg } from '@lingui/core/runtime-macro';
import { type RawBuilder, sql } from 'kysely';
import { wordsToFind } from '#contract/profiles/hidden-words.ts';
import type { Db } from '../../platform/db/db.ts';
import type { CommandContext } from '../../platform/http/mount.ts';
import { invalid } from '../../platform/http/app-error.ts';
import { requireMember } from '../../platform/session/caller.ts';

/** The words a member doesn't want to read, as typed. */
export async function hiddenWordsOf(db: Db, accountId: string): Promise<string[]> {
  const row = await db
    .selectFrom('hidden_words')
    .select('words')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row?.words ?? [];
}

/**
 * Replaces the caller's hidden words and returns them. Words in several spellings are stored once. Throws 403 for staff, and 400 for what can't
 * be found in a text, such as `!!`.
 */
export async function putHiddenWords(
  { tx, caller }: CommandContext,
  { words: given }: { words: string[] },
): Promise<string[]> {
  requireMember(caller);
  const { rows } = await sql<{ word: string; form: string }>`
    select word, logic.word_form(word) as form from unnest(${given}::text[]) with ordinality as given (word, at)
    order by at`.execute(tx);
  const unfindable = rows.find(({ form }) => wordsToFind([form]).length === 0);
  if (unfindable !== undefined)
    throw invalid('words', msg`“${{ word: unfindable.word }}” can't be found in texts. Use letters, digits or emojis.`);
  const byForm = new Map(rows.toReversed().map(({ word, form }) => [form, word]));
  const words = given.filter((word) => [...byForm.values()].includes(word));
  const pattern = wordsToFind([...byForm.keys()]).join('|');
  if (pattern === '') {
    await tx.deleteFrom('hidden_words').where('account_id', '=', caller.accountId).execute();
    return [];
  }
  const row = { words: [...new Set(words)], pattern };
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
 * A condition: nothing on this person's profile contains a hidden word of the member. Use it only where the member sees who they could
 * see anyway: where it changed a number of likes, it would reveal who likes them.
 */
export const hasNoHiddenWord = (memberId: string, id: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`not coalesce(logic.has_hidden_word(
    (select h.pattern from hidden_words h where h.account_id = ${memberId}::uuid), ${id}), false)`;
