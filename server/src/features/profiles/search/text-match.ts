import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../../platform/db/db.ts';

/** The directory columns that are searched; each has a trigram index. */
export type SearchedColumn = 'search_text' | 'name_sort' | 'first_name';

/** How to find the rows of directory `d` whose column contains a term. */
export interface TextMatch {
  /** Uses the trigram index. */
  indexed: RawBuilder<boolean>;
  /** Reads rows sequentially: faster if about every tenth row is a hit. */
  plain: RawBuilder<boolean>;
  isCommon: boolean;
}

const sampledRows = 2000;
const fewestToJudge = 200;
/** From this share of hits on, reading rows until there are enough beats collecting all hits from the index. */
const commonShare = 0.08;
const shortestIndexed = 3;
const wordsLookedAt = 6;

/**
 * A match of `term`, whatever its case and white space, judged by a sample of the table: how common the term is, and which of its words is
 * the rarest. The index is asked for that word alone, since every further common word costs it a walk of its own.
 */
export async function matchText(db: Db, column: SearchedColumn, term: string): Promise<TextMatch> {
  const lowered = term.toLowerCase().replaceAll(/\s+/g, ' ');
  const words = wordsOf(lowered);
  const texts = [lowered, ...words];
  const { rows } = await sql<{ sampled: number; hits: number[] }>`
    with sample as materialized (
      select ${sql.ref(column)} as text
      from directory tablesample system (
        (select least(100, 100 * ${sampledRows} / greatest(reltuples, 1)) from pg_class where oid = 'directory'::regclass))
      ${column === 'first_name' ? sql`where is_shown` : sql``}
    )
    select (select count(*)::int from sample) as sampled, array_agg(n order by at) as hits
    from unnest(${texts}::text[]) with ordinality as looked_for (word, at)
      cross join lateral (select count(*)::int as n from sample where strpos(text, word) > 0) counted`.execute(db);
  const { sampled, hits } = rows[0] ?? { sampled: 0, hits: [] };
  const [hitsOfAll = 0, ...hitsOfWords] = hits;
  const rarest = words
    .map((word, n) => ({ word, hits: hitsOfWords[n] ?? 0 }))
    .sort((a, b) => a.hits - b.hits || b.word.length - a.word.length)[0];
  const target = sql`d.${sql.ref(column)}`;
  // Byte by byte: both sides are lower-cased already.
  const plain = sql<boolean>`strpos(${target} collate "C", ${lowered}) > 0`;
  const like = sql<boolean>`${target} like ${`%${escaped(rarest?.word ?? lowered)}%`}`;
  return {
    indexed: sql<boolean>`(${like} and ${plain})`,
    plain,
    isCommon: sampled >= fewestToJudge && hitsOfAll >= sampled * commonShare,
  };
}

const escaped = (text: string) => text.replaceAll(/[\\%_]/g, '\\$&');

/** The words that the trigram index can find: letters and digits, three at least. */
function wordsOf(term: string): string[] {
  const words = term.split(/[^\p{L}\p{N}]+/u).filter((word) => [...word].length >= shortestIndexed);
  return [...new Set(words)].sort((a, b) => b.length - a.length).slice(0, wordsLookedAt);
}
