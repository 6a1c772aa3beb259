import { strToU8, zipSync } from 'fflate';
import { proofSchema, type Proof } from '#contract/auth/factors.ts';
import { currentCodeHeader, currentPasskeyHeader, currentPasswordHeader, exportOwnData } from '#contract/takeout.ts';
import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../../platform/http/app-error.ts';
import type { Caller } from '../../platform/session/caller.ts';
import type { Deps } from '../../deps.ts';
import { toOwnUser } from '../../platform/session/own-user.ts';
import { accountData, withProof } from '../auth/public.ts';
import { answersInWords } from '../compatibility/public.ts';
import { loosePictures } from '../media/public.ts';
import { learnedData, preferencesOf } from '../discovery/public.ts';
import { blocksBy, likesData } from '../connections/public.ts';
import { messagesData } from '../messages/public.ts';
import { notificationSettings } from '../notifications/public.ts';
import { premiumData } from '../subscriptions/public.ts';
import { reportsFiledBy } from '../moderation/public.ts';
import type { FastifyInstance } from 'fastify';
import { mount } from '../../platform/http/mount.ts';

const readMe = `What Heartwood keeps about you, and what you wrote.

account.json       your address, ways to sign in, devices and consents
pictures/          your pictures, as we keep them; other-… are on no profile, or no longer for long
profile.json       your profile and your place, which is kept as the centre of a cell of about three kilometres
preferences.json   who you want to see
answers.json       what you answered to our questions; only you ever read it
likes.json         who you liked, with your notes, your matches, and how often you passed
messages.json      what you wrote to your matches; with the name while you are a match
notifications.json what you want to be told of by mail and on your devices
learned.json       what the order of cards has learned from decisions, yours and those about you
blocks.json        who you blocked
reports.json       what you told our team, and what they answered
premium.json       your subscriptions and invoices; your cards are kept by who takes the payments

Nothing in here is about other people, except the first names of those you liked, matched with or blocked.
`;

/** Reads the proof from the request's headers, where each part is optional; 403 for one that can't be read. */
function givenProof(headers: IncomingHttpHeaders): Proof {
  const password = decoded(headers[currentPasswordHeader]);
  const code = decoded(headers[currentCodeHeader]);
  const passkey = decoded(headers[currentPasskeyHeader]);
  try {
    const proof = { password, code, passkey: passkey === undefined ? undefined : (JSON.parse(passkey) as unknown) };
    return proofSchema.parse(proof);
  } catch {
    throw new AppError('PROOF_REQUIRED', 'The confirmation in the request headers cannot be read.');
  }
}

function decoded(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  try {
    if (typeof header === 'string' && header.length <= 8192) return decodeURIComponent(header);
  } catch {
    // Undecodable input isn't a password.
  }
  throw new AppError('WRONG_PASSWORD', `Send your current password in the header ${currentPasswordHeader}`);
}

const fileNameOf = (index: number) => `pictures/${index + 1}.webp`;

/** The caller's profile, with file names in the archive instead of expiring picture addresses. */
function ownData(deps: Deps, caller: Caller, now: Date) {
  const { pictures, profilePicture: _, more_pictures: __, ...profile } = toOwnUser(caller, now, deps.pictures);
  return {
    ...profile,
    pictures: pictures.map(({ url, thumbnailUrl: ___, publicId: ____, ...picture }, index) => ({
      ...picture,
      file: url === '' ? null : fileNameOf(index),
    })),
  };
}

/** The bytes of the caller's pictures: those on the profile, then a replaced one still shown to others, and uploads. */
async function pictureFiles(deps: Deps, caller: Caller): Promise<Record<string, [Uint8Array, { level: 0 }]>> {
  const listed = caller.pictures.filter(({ place }) => place !== -1);
  const others = (await loosePictures(deps.db, caller.accountId)).map(
    (key, index) => [`pictures/other-${index + 1}.webp`, key] as const,
  );
  const files: Record<string, [Uint8Array, { level: 0 }]> = {};
  const named = listed.flatMap(({ key, place }, index) =>
    place === undefined ? [] : [[fileNameOf(index), key] as const],
  );
  for (const [name, key] of [...named, ...others]) {
    const bytes = await deps.storage.get(`${key}.large`);
    if (bytes !== null) files[name] = [bytes, { level: 0 }];
  }
  return files;
}

/**
 * All of the caller's data in one ZIP archive, and nothing of anyone else. The proof is that of `withProof`. 403 for staff, whose accounts belong to
 * the service.
 */
async function takeOut(deps: Deps, caller: Caller, proof: Proof, now: Date): Promise<Buffer> {
  const { db } = deps;
  if (caller.staffRole !== null) throw new AppError('FORBIDDEN', 'Staff accounts are no personal data of a member');
  await withProof(deps, caller, proof, now, () => Promise.resolve());
  const { latitude, longitude } = caller;
  const files = {
    'account.json': await accountData(db, caller, now),
    'profile.json': { ...ownData(deps, caller, now), placeCell: latitude === null ? null : { latitude, longitude } },
    'preferences.json': await preferencesOf(db, caller),
    'answers.json': await answersInWords(db, caller.accountId),
    'likes.json': await likesData(db, caller.accountId),
    'messages.json': await messagesData(db, caller.accountId),
    'notifications.json': await notificationSettings(db, caller.accountId),
    'learned.json': await learnedData(db, caller.accountId),
    'blocks.json': await blocksBy(db, caller.accountId),
    'reports.json': await reportsFiledBy(db, caller.accountId),
    'premium.json': await premiumData(db, caller.accountId),
  };
  const archive = zipSync({
    'README.txt': strToU8(readMe),
    ...Object.fromEntries(
      Object.entries(files).map(([name, content]) => [name, strToU8(`${JSON.stringify(content, null, 2)}\n`)]),
    ),
    ...(await pictureFiles(deps, caller)),
  });
  return Buffer.from(archive);
}

/** Data export. */
export function mountTakeout(app: FastifyInstance, deps: Deps): void {
  mount(app, deps, exportOwnData).to(async ({ caller, now, request, reply }) => {
    const proof = givenProof(request.headers);
    const archive = await takeOut(deps, caller, proof, now);
    return reply
      .type(exportOwnData.streams)
      .header('content-disposition', `attachment; filename="heartwood-${now.toISOString().slice(0, 10)}.zip"`)
      .send(archive);
  });
}
