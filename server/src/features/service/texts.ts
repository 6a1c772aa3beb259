import { msg } from '@lingui/core/runtime-macro';
import type { BodyOf, ParamsOf } from '#contract/endpoint.ts';
import type { Language } from '#contract/languages.ts';
import type { TextKind } from '#contract/service/text-kinds.ts';
import { agreedKinds, type publishText, type readText, type TextBlock } from '#contract/service/texts.ts';
import { actorOf, audit } from '#platform/db/audit.ts';
import type { Db } from '#platform/db/db.ts';
import { AppError, invalid, notFound } from '#platform/http/app-error.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { dayOf } from '#platform/process/clock.ts';
import { currentTerms } from '#platform/service/published-texts.ts';
import { blocksOf, outlineOf, problemOf } from './markdown.ts';

const versionsShown = 50;

const newestFirst = (db: Db, kind: TextKind) =>
  db.selectFrom('published_text').where('kind', '=', kind).orderBy('version', 'desc');

/** The published versions of a text for staff, newest first, with their bodies. */
export async function textVersions(db: Db, { kind }: { kind: TextKind }) {
  return await newestFirst(db, kind)
    .select(['version', 'published_at as publishedAt', 'published_by as by'])
    .select(['asks_again as asksAgain', 'language', 'bodies'])
    .limit(versionsShown)
    .execute();
}

type Asked = ParamsOf<typeof readText> & { language: Language; version?: string | undefined };

/** A text for its readers: in their language, or else in the one it was written in. Throws 404 if that version was never published. */
export async function textFor(db: Db, { kind, language, version }: Asked) {
  const columns = ['version', 'published_at as publishedAt'] as const;
  const versions = await newestFirst(db, kind).select(columns).limit(versionsShown).execute();
  const row = await newestFirst(db, kind)
    .select([...columns, 'language', 'bodies'])
    .$if(version !== undefined, (query) => query.where('version', '=', version ?? ''))
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) throw notFound();
  const { bodies, language: usual, ...published } = row;
  const own = bodies[language] === undefined ? usual : language;
  const body = own === null ? undefined : bodies[own];
  return { ...published, language: own, blocks: body === undefined ? null : blocksOf(body), versions };
}

/** A preview of a text. Throws 400 if it can't be published. */
export function preview(body: string): { blocks: TextBlock[] } {
  const problem = problemOf(body);
  if (problem !== null) throw invalid('body', problem);
  return { blocks: blocksOf(body) };
}

/**
 * Publishes a text, or the product's own again. Throws 400 for a text that its page can't show or whose languages have
 * different sections, and 409 if another version was published meanwhile.
 */
export async function publish(
  context: CommandContext,
  { kind, known, language, bodies, asksAgain }: ParamsOf<typeof publishText> & BodyOf<typeof publishText>,
) {
  const { tx, caller, now } = context;
  checkBodies(language, bodies);
  if (asksAgain && !agreedKinds.includes(kind))
    throw invalid('asksAgain', msg`Members agree to the terms and the privacy policy only.`);
  const newest = await newestFirst(tx, kind).select('version').limit(1).executeTakeFirst();
  const version = nextVersion(now, newest?.version ?? null, asksAgain);
  const row = { kind, version, language, bodies: JSON.stringify(bodies), asks_again: asksAgain };
  const added =
    (newest?.version ?? null) === known &&
    (await tx
      .insertInto('published_text')
      .values({ ...row, published_at: now, published_by: actorOf(caller).name })
      .onConflict((conflict) => conflict.doNothing())
      .returning('version')
      .executeTakeFirst());
  if (!added) throw new AppError('CONFLICT', msg`Someone else has published this text meanwhile. Load the page again.`);
  await audit(context, { type: 'service', id: null }, 'service.textPublished', {
    changes: {
      kind: { from: null, to: kind },
      version: { from: known, to: version },
      asksAgain: { from: null, to: asksAgain },
    },
  });
  return { version, publishedAt: now };
}

function checkBodies(language: Language | null, bodies: Partial<Record<Language, string>>): void {
  const usual = language === null ? undefined : bodies[language];
  if (language === null && Object.keys(bodies).length > 0)
    throw invalid('language', msg`Choose the language that is shown to readers of other languages.`);
  if (language !== null && usual === undefined) throw invalid(`bodies.${language}`, msg`This is required`);
  for (const [spoken, markdown] of Object.entries(bodies)) {
    const problem = problemOf(markdown);
    if (problem !== null) throw invalid(`bodies.${spoken}`, problem);
    if (outlineOf(markdown) !== outlineOf(usual ?? ''))
      throw invalid(
        `bodies.${spoken}`,
        msg`Its sections differ from those of the first language, so readers would miss one.`,
      );
  }
}

/**
 * The day, with a number if that day already has a version. It is never earlier than the newest version, whatever the clock says, and later
 * than the version members agreed to if they have to be asked again.
 */
function nextVersion(now: Date, newest: string | null, asksAgain: boolean): string {
  const today = dayOf(now);
  const last =
    [newest, asksAgain ? currentTerms() : null]
      .filter((one) => one !== null)
      .sort()
      .at(-1) ?? '';
  if (last < today) return today;
  const [day = today, count = '1'] = last.split('.');
  // After .9 comes .91, which is greater when compared as text.
  return `${day}.${count.endsWith('9') ? `${count}1` : Number(count) + 1}`;
}
