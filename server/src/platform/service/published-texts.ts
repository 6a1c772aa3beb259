import { termsVersion } from '#contract/constants.ts';
import type { TextKind } from '#contract/service/text-kinds.ts';
import type { Db } from '../db/db.ts';

/** What pages and sessions need to know of the texts that the owner published. */
interface PublishedTexts {
  /** The texts of which the owner published a version, even if the product's own is shown again. */
  kinds: readonly TextKind[];
  /** The newest version that members have to agree to again; null if there is none. */
  agreed: string | null;
}

let present: PublishedTexts = { kinds: [], agreed: null };

/** The version of the terms and the policy that members agree to: the product's, or a later one that the owner published. */
export const currentTerms = (): string =>
  present.agreed !== null && present.agreed > termsVersion ? present.agreed : termsVersion;

/** The texts of which the owner published a version: their pages show the newest one, with a way to the earlier ones. */
export const ownersTexts = (): readonly TextKind[] => present.kinds;

/** Reads what is published, for everything that this process answers from now on. */
export async function readPublishedTexts(db: Db): Promise<void> {
  const kinds = await db.selectFrom('published_text').distinct().select('kind').execute();
  const { agreed } = await db
    .selectFrom('published_text')
    .select((of) => of.fn.max<string | null>('version').as('agreed'))
    .where('asks_again', '=', true)
    .executeTakeFirstOrThrow();
  present = { kinds: kinds.map(({ kind }) => kind), agreed };
}
