import type { FastifyBaseLogger } from 'fastify';
import { readSettings, type ServiceSettings, usualSettings } from '#contract/service/settings.ts';
import type { Db } from '../db/db.ts';
import { showBrand } from './brand.ts';
import { readPublishedTexts } from './published-texts.ts';

/** The settings in force in this process. */
export interface ServiceState {
  /** 0 until something is changed. */
  version: number;
  settings: ServiceSettings;
  /** The newest version, if its settings can't be read and an earlier one is in force; or null. */
  brokenVersion: number | null;
}

/** The settings that the owner changed, kept in memory, so that requests read them without querying the database. */
export interface Service {
  now(): ServiceState;
  /** Reads the newest version again. If the database can't be read, the previous one stays in force. */
  renew(): Promise<void>;
}

/** The settings in a database, read at the start. */
export async function createService(db: Db, log: FastifyBaseLogger): Promise<Service> {
  let state: ServiceState = { version: 0, settings: usualSettings, brokenVersion: null };
  let last = Promise.resolve();

  async function read(): Promise<void> {
    await readPublishedTexts(db);
    const next = await readNewest(db);
    if (next.brokenVersion !== null)
      log.error({ version: next.brokenVersion, holds: next.version }, 'the settings of the service are broken');
    state = next;
    showBrand(next.settings.brand);
  }

  await read();
  return {
    now: () => state,
    // One after the other, so that an older answer never replaces a newer one.
    renew: () =>
      (last = last
        .then(read)
        .catch((error: unknown) => log.warn({ err: error }, 'the settings of the service could not be read'))),
  };
}

/** The newest readable version. Usually it is the newest of all, so the others are read only if that one is broken. */
async function readNewest(db: Db): Promise<ServiceState> {
  const versions = db.selectFrom('service_version').select(['version', 'settings']).orderBy('version', 'desc');
  const [newest] = await versions.limit(1).execute();
  if (newest === undefined) return { version: 0, settings: usualSettings, brokenVersion: null };
  const settings = readSettings(newest.settings);
  if (settings !== null) return { version: newest.version, settings, brokenVersion: null };
  for (const { version, settings: stored } of await versions.execute()) {
    const earlier = readSettings(stored);
    if (earlier !== null) return { version, settings: earlier, brokenVersion: newest.version };
  }
  return { version: 0, settings: usualSettings, brokenVersion: newest.version };
}
