import { msg } from '@lingui/core/runtime-macro';
import { isReadable, nearestReadable } from '#contract/service/colours.ts';
import type { AnswerInput, BodyOf } from '#contract/endpoint.ts';
import type { bringServiceBack, changeService, getService } from '#contract/service/service.ts';
import type { Lists } from '#contract/service/lists.ts';
import { readSettings, type ServiceSettings, usualSettings } from '#contract/service/settings.ts';
import type { Deps } from '../../deps.ts';
import { actorOf, audit } from '#platform/db/audit.ts';
import type { Db } from '#platform/db/db.ts';
import { AppError, invalid, notFound } from '#platform/http/app-error.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { requireOwnLinks } from '#platform/http/own-links.ts';
import { keepingGone } from '#platform/service/lists.ts';

const versionsShown = 50;

/** The settings of the service for its owner, with the newest versions. */
export async function readService({ db, config, service }: Deps): Promise<AnswerInput<typeof getService>['data']> {
  const rows = await db
    .selectFrom('service_version')
    .selectAll()
    .orderBy('version', 'desc')
    .limit(versionsShown)
    .execute();
  const settings = rows.map((row) => readSettings(row.settings)).find((one) => one !== null);
  return {
    version: rows[0]?.version ?? 0,
    settings: settings ?? service.now().settings,
    versions: rows.map((row) => ({
      version: row.version,
      savedAt: row.saved_at,
      by: row.saved_by,
      broughtBack: row.brought_back,
      isBroken: readSettings(row.settings) === null,
    })),
    configured: { supportEmail: config.supportEmail, legalEntity: config.payments.seller.name },
  };
}

/**
 * Saves new settings; 409 if another version was saved meanwhile, and 400 for unusable colours or pictures, and for a banner with a link to
 * another site, which everyone would see at once.
 */
export async function change(context: CommandContext, { version, settings }: BodyOf<typeof changeService>) {
  await refuseUnusable(context.tx, settings);
  return await save(context, version, settings);
}

/**
 * Restores an earlier version as the newest one; version 0 is the service without any changes. 404 if it is unknown or broken, 400 for a
 * banner that couldn't be saved today.
 */
export async function bringBack(context: CommandContext, { version, back }: BodyOf<typeof bringServiceBack>) {
  const settings = back === 0 ? usualSettings : readSettings(await settingsOf(context.tx, back));
  if (settings === null) throw notFound();
  return await save(context, version, settings, back);
}

async function settingsOf(tx: Db, version: number): Promise<unknown> {
  const row = await tx
    .selectFrom('service_version')
    .select('settings')
    .where('version', '=', version)
    .executeTakeFirst();
  return row?.settings;
}

async function refuseUnusable(tx: Db, { brand: { colours, logo, icon } }: ServiceSettings): Promise<void> {
  for (const scheme of colours === null ? [] : (['light', 'dark'] as const)) {
    const colour = colours?.[scheme] ?? '';
    if (!isReadable(scheme, colour)) {
      const nearest = nearestReadable(scheme, colour);
      throw invalid(
        `settings.brand.colours.${scheme}`,
        msg`Text in this color is hard to read. The nearest one that can be read is ${{ nearest }}.`,
      );
    }
  }
  for (const [kind, id] of Object.entries({ logo, icon })) {
    if (id === null) continue;
    const known = await tx.selectFrom('brand_picture').select('id').where('id', '=', id).executeTakeFirst();
    if (known === undefined)
      throw invalid(`settings.brand.${kind}`, msg`This picture is no longer there. Upload it again.`);
  }
}

async function save(
  { tx, deps, caller, now }: CommandContext,
  known: number,
  wanted: ServiceSettings,
  broughtBack: number | null = null,
): Promise<number> {
  const before = (await newestOf(tx)) ?? { version: 0, settings: usualSettings };
  const held = readSettings(before.settings) ?? deps.service.now().settings;
  for (const [language, text] of Object.entries(wanted.banner?.text ?? {}))
    if (JSON.stringify(held.banner?.text) !== JSON.stringify(wanted.banner?.text))
      requireOwnLinks(`settings.banner.text.${language}`, text, deps.config);
  const settings = { ...wanted, lists: keepingGone(held.lists, wanted.lists) };
  const version = known + 1;
  const row =
    before.version === known &&
    (await tx
      .insertInto('service_version')
      .values({
        version,
        settings: JSON.stringify(settings),
        saved_at: now,
        saved_by: actorOf(caller).name,
        brought_back: broughtBack,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('version')
      .executeTakeFirst());
  if (!row) throw new AppError('CONFLICT', msg`Someone else has changed the service meanwhile. Load the page again.`);
  const changes = { version: { from: known, to: version }, ...differences(before.settings, settings) };
  await audit({ tx, caller, now }, { type: 'service', id: null }, 'service.changed', { changes });
  await deps.emit(tx, 'serviceChanged', { settings });
  return version;
}

async function newestOf(tx: Db) {
  return await tx
    .selectFrom('service_version')
    .select(['version', 'settings'])
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** The parts of the settings that differ, each before and after. */
function differences(stored: unknown, to: ServiceSettings): Record<string, { from: unknown; to: unknown }> {
  const from = (readSettings(stored) ?? {}) as Partial<Record<string, unknown>>;
  const changed = Object.entries(to).filter(([part, value]) => JSON.stringify(value) !== JSON.stringify(from[part]));
  return Object.fromEntries(
    changed.map(([part, value]) => [part, { from: noted(part, from[part]) ?? null, to: noted(part, value) }]),
  );
}

/** The trail contains only the sizes of lists, because they are long; the versions contain the lists. */
function noted(part: string, value: unknown): unknown {
  if (part !== 'lists' || value === undefined) return value;
  const { interests, prompts } = value as Lists;
  return { interests: interests?.flatMap(({ entries }) => entries).length ?? null, prompts: prompts?.length ?? null };
}
