import { createHash } from 'node:crypto';
import { ageOn } from '../platform/session/age.ts';
import { before, dayMs, latest } from './calendar.ts';
import type { TableRows } from './copy-rows.ts';
import type { DemoMember } from './demo-member.ts';
import { pictureKey, type DrawnPicture } from './drawn-picture.ts';
import { demoPlaceholder } from './pictures/demo-placeholder.ts';
import { randomOf, type Random } from './random.ts';

/** One row of `picture`. */
export interface DemoPicture extends DrawnPicture {
  member: DemoMember;
  name: string;
  size: number;
  state: 'pending' | 'approved' | 'rejected';
  place: number | null;
  reason: string | null;
  uploadedAt: Date;
}

/** A demo of more members than this has no pictures: what is measured there are lists of people. */
const mostWithPictures = 10_000;
/** A stream of its own, so that members stay as they are. */
const stream = 5;
const pictureStream = 6;
const picturesEach = 16;
const longestWaitDays = 1.5;

const refusals = ['It shows somebody else.', 'Nobody is to be seen in it.', 'It is an advertisement.'];
const fileNames = ['IMG_2041', 'lake', 'me', 'DSC00817', 'party', 'holiday', 'new', 'portrait', 'sunday'];

/** Whether a demo of this size has pictures at all. */
export function hasPictures(members: number): boolean {
  return members <= mostWithPictures;
}

/** The pictures of demo member `number`: always the same. Whoever got as far as naming whom they seek has one at least. */
export function demoPictures(number: number, member: DemoMember, now: Date): DemoPicture[] {
  const random = randomOf(number, stream);
  if (member.seeking.length === 0 && random.chance(0.7)) return [];
  const count = random.chance(0.3) ? 1 : 2 + random.below(3);
  const pictures = Array.from({ length: count }, (_, index) => onePicture(number, index, member, random, now));
  const last = pictures.at(-1);
  if (last && member.staffRole === null && random.chance(0.07)) {
    last.state = 'pending';
    last.uploadedAt = latest(member.createdAt, before(now, random.next() * longestWaitDays * dayMs));
  }
  if (member.staffRole === null && random.chance(0.03)) {
    const refused = onePicture(number, count, member, random, now);
    pictures.push({ ...refused, state: 'rejected', place: null, reason: random.pick(refusals) });
  }
  return pictures;
}

function onePicture(number: number, index: number, member: DemoMember, random: Random, now: Date): DemoPicture {
  const pictureNumber = number * picturesEach + index;
  const draws = randomOf(pictureNumber, pictureStream);
  const daysAgo = draws.next() ** 2 * 300;
  return {
    // One face a member: what else they show is where they like to be.
    kind: index === 0 ? 'portrait' : 'place',
    gender: member.gender,
    age: member.birthDate === null ? 30 : ageOn(member.birthDate, now),
    seed: pictureNumber,
    member,
    name: `${random.pick(fileNames)}.jpg`,
    size: 60_000 + draws.below(240_000),
    state: 'approved',
    place: index,
    reason: null,
    uploadedAt: latest(member.createdAt, before(now, daysAgo * dayMs)),
  };
}

const drawnSize = { width: 1200, height: 1500 };

const digest = (picture: DemoPicture, what: string) =>
  createHash('sha256').update(`${what} of demo picture ${picture.seed}`).digest();

/** A demo picture as a report froze it. */
export function frozenPicture(picture: DemoPicture) {
  return {
    id: digest(picture, 'name').toString('hex').slice(0, 32),
    key: pictureKey(picture),
    size: picture.size,
    ...drawnSize,
    placeholder: demoPlaceholder(picture),
    sha256: digest(picture, 'bytes').toString('hex'),
  };
}

export const pictureRows: TableRows<DemoPicture> = {
  table: 'picture',
  columns: [
    'public_id',
    'account_id',
    'object_key',
    'name',
    'size',
    'width',
    'height',
    'placeholder',
    'sha256',
    'dhash',
    'state',
    'place',
    'reason',
    'uploaded_at',
    'claimed_at',
    'decided_at',
  ],
  cells: (picture) => [
    digest(picture, 'handle').toString('base64url').slice(0, 22),
    picture.member.id,
    pictureKey(picture),
    picture.name,
    picture.size,
    drawnSize.width,
    drawnSize.height,
    demoPlaceholder(picture),
    `\\x${digest(picture, 'bytes').toString('hex')}`,
    // As of a plain surface, which nothing is compared with: these are drawn, and look alike.
    '0',
    picture.state,
    picture.place,
    picture.reason,
    picture.uploadedAt,
    picture.uploadedAt,
    picture.state === 'pending' ? null : picture.uploadedAt,
  ],
};
