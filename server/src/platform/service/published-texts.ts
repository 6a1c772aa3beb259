import { termsVersion } from '#contract/constants.ts';
import type { TextKind } from '#contract/service/text-kinds.ts';
import type { Db } from '../db/db.ts';

/** What pages and sessions need to know of the texts that the owner published. */
interface PublishedTexts {
  /** The texts that are shown in place of the product's own. */
  kinds: readonly TextKind[];
  /** The newest version that members have to agree to again; null if there is none. */
  agreed: string | null;
}

let present: PublishedTexts = { kinds: [], agreed: null };

/** The version of the terms and the policy that members agree to: the product's, or a later one that the owner published. */
export const currentTerms = (): string =>
  present.agreed !== null && present.agreed > termsVersion ? present.agreed : termsVersion;

/** The texts that the owner published in place of the product's own. */
export const ownersTexts = (): readonly TextKind[] => present.kinds;

/** Reads what is published, for everything that this process answers from now on. */
export async function readPublishedTexts(db: Db): Promise<void> {
  const newest = await db
    .selectFrom('published_text')
    .distinctOn('kind')
    .select(['kind', 'language'])
    .orderBy('kind')
    .orderBy('version', 'desc')
    .execute();
  const { agreed } = await db
    .selectFrom('published_text')
    .select((of) => of.fn.max<string | null>('version').as('agreed'))
    .where('asks_again', '=', true)
    .executeTakeFirstOrThrow();
  present = { kinds: newest.filter(({ language }) => language !== null).map(({ kind }) => kind), agreed };
}
