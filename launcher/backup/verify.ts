import { randomBytes, randomUUID } from 'node:crypto';
import { login } from '#contract/auth/session.ts';
import { apiBasePath } from '#contract/constants.ts';
import { demoProviders } from '../../demo/installation.ts';
import { buildApp } from '../../server/src/app.ts';
import { createStaff } from '../../server/src/features/auth/staff.ts';
import { diskStorage } from '../../server/src/features/media/storage/storage.ts';
import { readConfig } from '#platform/config/config.ts';
import { createDb, type Db, hasDemoData } from '#platform/db/db.ts';
import { createPool } from '#platform/db/pool.ts';
import { systemClock } from '#platform/process/clock.ts';
import { createLog } from '#platform/process/log.ts';
import { StartError } from '#platform/process/lifecycle.ts';
import { migrateDatabase } from '../../server/src/open-database.ts';

/**
 * Uses a restored scratch copy as the service would: migrates it, looks for every picture in `mediaDir` (null: not part of the backup), and
 * signs a new account in. No jobs run, so no mail is sent. Throws a `StartError` that names what does not work.
 */
export async function verifyDatabase(url: string, mediaDir: string | null): Promise<void> {
  await migrateDatabase({ directUrl: url, ownerUrl: url });
  const pool = createPool(url);
  try {
    const db = createDb(pool);
    // Demo pictures are drawn when they are requested.
    if (mediaDir !== null && !(await hasDemoData(db))) await checkPictures(db, mediaDir);
    const email = `drill-${randomUUID()}@heartwood.test`;
    const password = randomBytes(24).toString('base64url');
    await createStaff(db, { email, password, role: 'moderator' }, systemClock.now());
    const config = {
      ...readConfig({ DATABASE_URL: url, ...(mediaDir !== null && { MEDIA_DIR: mediaDir }), SEED: 'none' }),
      staffMfa: false,
    };
    const app = await buildApp({
      config,
      pool,
      clock: systemClock,
      log: createLog('silent'),
      providers: demoProviders,
    });
    try {
      const body = { email, password };
      const { statusCode } = await app.inject({ method: 'POST', url: apiBasePath + login.path, body });
      if (statusCode !== 200) throw new StartError(`Signing in to the restored database answered ${statusCode}.`);
    } finally {
      await app.close();
    }
  } finally {
    await pool.end();
  }
}

/** A picture may have been deleted between the copies of the database and of the pictures, so a few may be missing. */
async function checkPictures(db: Db, mediaDir: string): Promise<void> {
  const storage = diskStorage(mediaDir);
  const sent = db.selectFrom('message_media').select('object_key');
  const keys = await db.selectFrom('picture').select('object_key').union(sent).execute();
  let missing = 0;
  // The key of a voice note is the name of its file.
  for (const { object_key: key } of keys)
    if ((await storage.get(key.includes('.') ? key : `${key}.large`)) === null) missing += 1;
  if (missing > keys.length / 100)
    throw new StartError(`${missing} of ${keys.length} pictures are missing in the backup.`);
}
