import { termsVersion } from '#contract/constants.ts';
import type { TextKind } from '#contract/service/text-kinds.ts';
import type { Db } from '../db/db.ts';

/** What pages and sessions need to know of the texts that the owner published. */
interface PublishedTexts {
  /** The texts of which the owner published a version, even if the product's own is shown again. */
  kinds: readonly TextKind[];
  /** The newest version that members have to agree to again; null if there is none. */
  agreed: string | null;
  /** The newest version of each text, to compare with what was there before. */
  newest: string;
}

let present: PublishedTexts = { kinds: [], agreed: null, newest: '' };

/** The version of the terms and the policy that members agree to: the product's, or a later one that the owner published. */
export const currentTerms = (): string =>
  present.agreed !== null && present.agreed > termsVersion ? present.agreed : termsVersion;

/** The texts of which the owner published a version: their pages show the newest one, with a way to the earlier ones. */
export const ownersTexts = (): readonly TextKind[] => present.kinds;

/** Names everything that is published: another word means that something was. */
export const publishedVersions = (): string => present.newest;

/** Reads what is published, for everything that this process answers from now on. */
export async function readPublishedTexts(db: Db): Promise<void> {
  const newest = await db
    .selectFrom('published_text')
    .select((of) => ['kind', of.fn.max('version').as('version')])
    .groupBy('kind')
    .orderBy('kind')
    .execute();
  const { agreed } = await db
    .selectFrom('published_text')
    .select((of) => of.fn.max<string | null>('version').as('agreed'))
    .where('asks_again', '=', true)
    .executeTakeFirstOrThrow();
  const versions = newest.map(({ kind, version }) => `${kind} ${version}`);
  present = { kinds: newest.map(({ kind }) => kind), agreed, newest: versions.join() };
}
