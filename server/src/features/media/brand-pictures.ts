import { sql } from 'kysely';
import type { FastifyInstance } from 'fastify';
import { uploadBrandPicture } from '#contract/service/service.ts';
import type { Deps } from '../../deps.ts';
import type { Db } from '#platform/db/db.ts';
import { notFoundBody } from '#platform/http/error-handler.ts';
import { mount } from '#platform/http/mount.ts';
import { withForms } from '#platform/http/upload.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import { brandPicture } from '#platform/service/brand.ts';
import { makeBrandPicture } from './image.ts';

const unusedKeptSeconds = 86_400;

/** Stores a re-encoded picture, and deletes pictures that no version of the service uses. */
async function keep(tx: Db, { png, sha256: id }: { png: Buffer; sha256: string }, now: Date): Promise<string> {
  await sql`delete from brand_picture p where uploaded_at < ${secondsAfter(now, -unusedKeptSeconds)} and not exists (
    select from service_version v where p.id in (v.settings #>> '{brand,logo}', v.settings #>> '{brand,icon}'))`.execute(
    tx,
  );
  await tx
    .insertInto('brand_picture')
    .values({ id, png, uploaded_at: now })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ uploaded_at: now }))
    .execute();
  return id;
}

/** Mounts the upload of logos and icons, and their bytes, which are public. The uploaded file itself is never served. */
export async function mountBrandPictures(app: FastifyInstance, deps: Deps): Promise<void> {
  await withForms(app, deps.config, (part) => {
    mount(part, deps, uploadBrandPicture)
      .before(({ caller, upload, params }) => makeBrandPicture(upload, caller.accountId, params.kind))
      .to(async ({ tx, now }, made) => ({ data: { picture: await keep(tx, made, now) } }));
  });
  app.get<{ Params: { file: string } }>('/brand/:file', async (request, reply) => {
    const [, id] = /^([0-9a-f]{64})\.png$/.exec(request.params.file) ?? [];
    const png = id === undefined ? undefined : await brandPicture(deps.db, id);
    if (png === undefined) return reply.status(404).send(notFoundBody(request));
    return reply.type('image/png').header('cache-control', 'public, max-age=31536000, immutable').send(png);
  });
}
