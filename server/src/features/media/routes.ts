import type { FastifyInstance, FastifyReply } from 'fastify';
import * as calls from '#contract/media.ts';
import { decidePicture, listQueuedPictures } from '#contract/moderation/picture-queue.ts';
import { mediaAddressMaxSeconds } from '#contract/constants.ts';
import { notFound, unauthenticated } from '#platform/http/app-error.ts';
import type { Deps } from '../../deps.ts';
import { isOver, pictureMimeType } from '#platform/session/pictures.ts';
import { type CommandContext, mount } from '#platform/http/mount.ts';
import { asTwoKeys } from '#platform/session/own-user.ts';
import { withForms } from '#platform/http/upload.ts';
import { addPictures, deletePicture, deleteProfilePicture, orderPictures, setProfilePicture } from './own-pictures.ts';
import { decide, noteReading } from './decide.ts';
import { queuedPicture, queuePage } from './queue.reads.ts';
import { evidenceServed, messageServed, pictureServed, removedServed, selfieServed, storedPictures } from './reads.ts';
import { selfieKey } from './pictures.ts';
import { messagePrefix } from './storage/storage.ts';
import { claimUpload, keepPicture } from './upload.ts';
import { voiceMimeType } from './decoding/voice.ts';
import { voiceSuffix } from './voice.ts';

/** Mounts uploads, members' own pictures, the review queue, and the picture bytes. */
export async function mountMedia(app: FastifyInstance, deps: Deps): Promise<void> {
  const { db, mediaAddresses } = deps;
  const ownPictures = async ({ tx, caller: { accountId }, now }: CommandContext) =>
    deps.pictures.own(accountId, await storedPictures(tx, accountId), now);

  await withForms(app, deps.config, (part) => {
    mount(part, deps, calls.uploadPicture)
      .before(({ caller, upload }) => keepPicture(deps, caller.accountId, upload))
      .to(async (context, kept) => ({ data: await claimUpload(context, kept, context.body.name) }));
  });
  mount(app, deps, calls.setProfilePicture).to(async (context) => {
    const { body } = context;
    const { publicId } = 'imageData' in body ? body.imageData : body;
    await setProfilePicture(context, publicId);
    const pictures = await ownPictures(context);
    const { profilePicture } = asTwoKeys(pictures, ({ isProfilePicture }) => isProfilePicture);
    return { message: 'Profile picture saved', data: { profilePicture, pictures } };
  });
  mount(app, deps, calls.addPictures).to(async (context) => {
    const { body } = context;
    const given = ('imagesData' in body ? body.imagesData : body).map(({ publicId }) => publicId);
    await addPictures(context, given);
    const pictures = await ownPictures(context);
    const uploadedImages = pictures.filter(({ publicId }) => given.includes(publicId));
    return { message: 'Pictures saved', data: { uploadedImages, pictures } };
  });
  mount(app, deps, calls.deletePicture).to(async (context) => {
    await deletePicture(context, context.params);
    return { message: 'Picture deleted', data: { pictures: await ownPictures(context) } };
  });
  mount(app, deps, calls.deleteProfilePicture).to(async (context) => {
    await deleteProfilePicture(context);
    return { message: 'Profile picture deleted', data: { pictures: await ownPictures(context) } };
  });
  mount(app, deps, calls.orderPictures).to(async (context) => {
    await orderPictures(context, context.body);
    return { message: 'Order saved', data: { pictures: await ownPictures(context) } };
  });

  mount(app, deps, listQueuedPictures).to(async ({ caller, query, now }) => {
    const page = await queuePage({ db, mediaAddresses, caller, now }, query);
    if (page.pictures.length > 0) await noteReading(db, caller, { action: 'pictures.read', now });
    return { data: page };
  });
  mount(app, deps, decidePicture).to(async (context) => {
    const { tx, caller, params, body, now } = context;
    await decide(context, { ...params, ...body });
    const picture = await queuedPicture({ db: tx, mediaAddresses, caller, now }, params.publicId);
    if (picture === undefined) throw notFound();
    return { message: body.verdict === 'approved' ? 'Approved' : 'Rejected', data: { picture } };
  });

  mount(app, deps, calls.getMedia).to(async ({ params, query, now, reply }) => {
    const { for: viewerId = '', until = '', sig = '', report, removed, selfie, opened } = query;
    const [, handle, size] = /^([\w-]{6,40})\.(large|thumbnail|voice)$/.exec(params.key) ?? [];
    if (handle === undefined || sig === '') throw unauthenticated();
    const key = size === 'voice' ? params.key : handle;
    const ofMessage = key.startsWith(messagePrefix) && report === undefined;
    const read = () => {
      if (selfie !== undefined) return selfieServed(db, viewerId, selfieKey(key), selfie);
      if (report !== undefined) return evidenceServed(db, viewerId, key, report);
      if (ofMessage) return messageServed(db, viewerId, key, { isOpening: opened !== undefined, now });
      if (removed === undefined) return pictureServed(db, viewerId, key, deps.config.media.showsPending);
      return size === 'thumbnail' ? removedServed(db, viewerId, key, removed) : undefined;
    };
    const served = await read();
    if (served === undefined) throw notFound();
    if (!mediaAddresses.isSigned({ for: viewerId, until, sig }, served.of)) throw unauthenticated();
    if (!served.isSeen || isOver(until, now)) throw notFound();
    if (selfie !== undefined) return await sendUnstored(deps, reply, selfieKey(key));
    if (ofMessage || size === 'voice') return await sendUnstored(deps, reply, params.key);
    return await sendBytes(deps, reply, params.key, Math.floor(Number(until) - now.getTime() / 1000));
  });
}

/** Selfies and files of messages are sent only by the server and cached nowhere else, so that they disappear with their bytes. */
async function sendUnstored({ storage }: Deps, reply: FastifyReply, key: string): Promise<FastifyReply> {
  const bytes = await storage.get(key);
  if (bytes === null) throw notFound();
  return reply.header('cache-control', 'no-store').type(typeOf(key)).send(bytes);
}

const typeOf = (key: string) => (key.endsWith(voiceSuffix) ? voiceMimeType : pictureMimeType);

async function sendBytes(deps: Deps, reply: FastifyReply, key: string, seconds: number): Promise<FastifyReply> {
  const address = await deps.storage.address(key);
  if (address !== null) return reply.header('cache-control', 'private, max-age=30').redirect(address, 302);
  const bytes = await deps.storage.get(key);
  if (bytes === null) throw notFound();
  return reply
    .header('cache-control', `private, max-age=${Math.min(seconds, mediaAddressMaxSeconds)}, immutable`)
    .header('content-disposition', 'inline')
    .type(typeOf(key))
    .send(bytes);
}
