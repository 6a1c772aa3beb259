import { termsVersion } from '#contract/constants.ts';
import type { TextKind } from '#contract/service/text-kinds.ts';
import type { Db } from '../db/db.ts';

/** What pages and sessions need to know about the texts that the owner published. */
interface PublishedTexts {
  /** The texts with a version published by the owner, even if the product's own is shown again. */
  kinds: readonly TextKind[];
  /** The newest version that members have to agree to again; null if there is none. */
  agreed: string | null;
  /** The newest version of each text, to compare with the previous one. */
  newest: string;
}

let present: PublishedTexts = { kinds: [], agreed: null, newest: '' };

/** The version of the terms and the policy that members agree to: the product's, or a later one that the owner published. */
export const currentTerms = (): string =>
  present.agreed !== null && present.agreed > termsVersion ? present.agreed : termsVersion;

/** The texts with a version published by the owner: their pages show the newest one, with links to earlier ones. */
export const ownersTexts = (): readonly TextKind[] => present.kinds;

/** Identifies the published texts; a different value means that a new version was published. */
export const publishedVersions = (): string => present.newest;

/** Reads the published texts, for everything that this process answers from now on. */
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
