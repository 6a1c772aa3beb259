import type { FastifyInstance, FastifyReply } from 'fastify';
import * as calls from '#contract/media/media.ts';
import { defaultPageLimit, mediaAddressMaxSeconds } from '#contract/constants.ts';
import { notFound, unauthenticated } from '../../platform/http/app-error.ts';
import type { Deps } from '../../deps.ts';
import { isOver, pictureMimeType } from '../../platform/session/pictures.ts';
import { mount } from '../../platform/http/mount.ts';
import { asTwoKeys } from '../../platform/session/own-user.ts';
import { withForms } from '../../platform/http/upload.ts';
import { decide, noteReading } from './decision.ts';
import { addPictures, deletePicture, deleteProfilePicture, orderPictures, setProfilePicture } from './pictures.ts';
import { queuedPicture, queuePage } from './queue.reads.ts';
import { evidenceServed, pictureServed, removedServed, storedPictures } from './reads.ts';
import { claimUpload, keepPicture } from './upload.ts';

/** Uploads, members' own pictures, the review queue, and the picture bytes. */
export async function mountMedia(app: FastifyInstance, deps: Deps): Promise<void> {
  const { db } = deps;
  const isChecked = deps.config.media.check !== null;
  const ownPictures = async (accountId: string, now: Date) =>
    deps.pictures.own(accountId, await storedPictures(db, accountId), now);

  await withForms(app, deps.config, (part) => {
    mount(part, deps, calls.uploadPicture)
      .before(({ caller, upload }) => keepPicture(deps, caller.accountId, upload))
      .to(async ({ tx, caller, body, now }, kept) => ({
        data: await claimUpload(deps, tx, caller, kept, body.name, now),
      }));
  });
  mount(app, deps, calls.setProfilePicture).to(async ({ caller: { accountId }, body, now }) => {
    const { publicId } = 'imageData' in body ? body.imageData : body;
    await setProfilePicture(db, accountId, publicId, isChecked, now);
    const pictures = await ownPictures(accountId, now);
    const { profilePicture } = asTwoKeys(pictures, ({ isProfilePicture }) => isProfilePicture);
    return { message: 'Profile picture saved', data: { profilePicture, pictures } };
  });
  mount(app, deps, calls.addPictures).to(async ({ caller: { accountId }, body, now }) => {
    const given = ('imagesData' in body ? body.imagesData : body).map(({ publicId }) => publicId);
    await addPictures(db, accountId, given, isChecked, now);
    const pictures = await ownPictures(accountId, now);
    const uploadedImages = pictures.filter(({ publicId }) => given.includes(publicId));
    return { message: 'Pictures saved', data: { uploadedImages, pictures } };
  });
  mount(app, deps, calls.deletePicture).to(async ({ caller: { accountId }, params, now }) => {
    await deletePicture(db, accountId, params.publicId);
    return { message: 'Picture deleted', data: { pictures: await ownPictures(accountId, now) } };
  });
  mount(app, deps, calls.deleteProfilePicture).to(async ({ caller: { accountId }, now }) => {
    await deleteProfilePicture(db, accountId);
    return { message: 'Profile picture deleted', data: { pictures: await ownPictures(accountId, now) } };
  });
  mount(app, deps, calls.orderPictures).to(async ({ caller: { accountId }, body, now }) => {
    await orderPictures(db, accountId, body.publicIds);
    return { message: 'Order saved', data: { pictures: await ownPictures(accountId, now) } };
  });

  mount(app, deps, calls.listQueuedPictures).to(async ({ caller, query, now }) => {
    const { state = 'pending', page: pageNumber = 1, limit = defaultPageLimit, cursor } = query;
    const offset = (pageNumber - 1) * limit;
    const page = await queuePage(db, caller, { state, limit, offset, cursor }, deps.mediaAddresses, now);
    if (page.pictures.length > 0) await noteReading(db, caller, now);
    return { data: page };
  });
  mount(app, deps, calls.decidePicture).to(async ({ caller, params, body, now }) => {
    await decide(db, caller, params.publicId, body, now);
    const picture = await queuedPicture(db, caller.accountId, params.publicId, deps.mediaAddresses, now);
    if (picture === undefined) throw notFound();
    return { message: body.verdict === 'approved' ? 'Approved' : 'Rejected', data: { picture } };
  });

  mount(app, deps, calls.getMedia).to(async ({ params, query, now, reply }) => {
    const { for: viewerId = '', until = '', sig = '', report, removed } = query;
    const [, key, size] = /^([\w-]{6,40})\.(large|thumbnail)$/.exec(params.key) ?? [];
    if (key === undefined || sig === '') throw unauthenticated();
    const read = () => {
      if (report !== undefined) return evidenceServed(db, viewerId, key, report);
      if (removed === undefined) return pictureServed(db, viewerId, key, deps.config.media.showsPending);
      return size === 'thumbnail' ? removedServed(db, viewerId, key, removed) : undefined;
    };
    const served = await read();
    if (served === undefined) throw notFound();
    if (!deps.mediaAddresses.isSigned({ for: viewerId, until, sig }, served.of)) throw unauthenticated();
    if (!served.isSeen || isOver(until, now)) throw notFound();
    return await sendBytes(deps, reply, `${key}.${size}`, Math.floor(Number(until) - now.getTime() / 1000));
  });
}

async function sendBytes(deps: Deps, reply: FastifyReply, key: string, seconds: number): Promise<FastifyReply> {
  const address = await deps.storage.address(key);
  if (address !== null) return reply.header('cache-control', 'private, max-age=30').redirect(address, 302);
  const bytes = await deps.storage.get(key);
  if (bytes === null) throw notFound();
  return reply
    .header('cache-control', `private, max-age=${Math.min(seconds, mediaAddressMaxSeconds)}, immutable`)
    .header('content-disposition', 'inline')
    .type(pictureMimeType)
    .send(bytes);
}
