import { createHash } from 'node:crypto';
import type pg from 'pg';
import { ageOn } from '#platform/process/clock.ts';
import { copyRows } from '#platform/db/copy-rows.ts';
import { before, dayMs, latest } from '../calendar.ts';
import type { DemoMember } from '../members/demo-member.ts';
import { namedMemberCount } from '../members/member.ts';
import { withoutTriggers } from '../bulk-load.ts';
import { randomOf, type Random } from '../random.ts';
import { demoPlaceholder } from './demo-picture.ts';
import { pictureKey, type DrawnPicture } from './storage.ts';

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

const stream = 5;
const pictureStream = 6;
const picturesEach = 16;
const longestWaitDays = 1.5;
const verifiedDaysAgo = 20;

const refusals = ['It shows another person.', 'No person is visible.', 'It is an advertisement.'];
const fileNames = ['IMG_2041', 'lake', 'me', 'DSC00817', 'party', 'holiday', 'new', 'portrait', 'sunday'];

/** The pictures of demo member `number`, always the same; at least one for people who chose what gender they look for. */
export function demoPictures(number: number, member: DemoMember, now: Date): DemoPicture[] {
  const random = randomOf(number, stream);
  if (member.seeking.length === 0 && random.chance(0.7)) return [];
  const count = random.chance(0.3) ? 1 : 2 + random.below(3);
  const pictures = Array.from({ length: count }, (_, index) => onePicture({ number, index, member, random, now }));
  const last = pictures.at(-1);
  // A member's only picture stays approved, so that cards have a picture.
  if (last && member.staffRole === null && random.chance(0.07) && count > 1) {
    last.state = 'pending';
    last.uploadedAt = latest(member.createdAt, before(now, random.next() * longestWaitDays * dayMs));
  }
  if (member.staffRole === null && random.chance(0.03)) {
    const refused = onePicture({ number, index: count, member, random, now });
    pictures.push({ ...refused, state: 'rejected', place: null, reason: random.pick(refusals) });
  }
  return pictures;
}

interface Taken {
  number: number;
  index: number;
  member: DemoMember;
  random: Random;
  now: Date;
}

function onePicture({ number, index, member, random, now }: Taken): DemoPicture {
  const pictureNumber = number * picturesEach + index;
  const draws = randomOf(pictureNumber, pictureStream);
  const daysAgo = draws.next() ** 2 * 300;
  return {
    // One portrait per member; the others show places they like.
    kind: index === 0 ? 'portrait' : 'place',
    gender: member.gender ?? member.looks.gender,
    origin: member.looks.origin,
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

/** A demo picture as stored in a report's evidence. */
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

/** Writes the pictures of `members`, given in the order of their numbers. */
export async function copyPictures(client: pg.ClientBase, members: readonly DemoMember[], now: Date): Promise<void> {
  const pictures = members.flatMap((member, number) => demoPictures(number, member, now));
  const rows = pictures.map((picture) => ({
    public_id: digest(picture, 'handle').toString('base64url').slice(0, 22),
    account_id: picture.member.id,
    object_key: pictureKey(picture),
    name: picture.name,
    size: picture.size,
    ...drawnSize,
    placeholder: demoPlaceholder(picture),
    sha256: digest(picture, 'bytes'),
    // The hash of a plain surface, which is never compared, because the drawn pictures would all match each other.
    dhash: '0',
    state: picture.state,
    place: picture.place,
    reason: picture.reason,
    uploaded_at: picture.uploadedAt,
    claimed_at: picture.uploadedAt,
    decided_at: picture.state === 'pending' ? null : picture.uploadedAt,
  }));
  // One refresh of all profiles, instead of one per picture.
  await withoutTriggers(client, 'picture', () => copyRows(client, 'picture', rows));
  await client.query('select logic.refresh_pictures($1::uuid[])', [members.map(({ id }) => id)]);
  await verifySome(client, members, now);
}

/** Makes every third of the members drawn at random photo verified, if the profile picture is approved. */
async function verifySome(client: pg.ClientBase, members: readonly DemoMember[], now: Date): Promise<void> {
  const some = members.filter(
    ({ staffRole }, number) => staffRole === null && number >= namedMemberCount && number % 3 === 0,
  );
  await client.query(
    `update profile f set photo_verified_at = greatest($2::timestamptz, shown.uploaded_at), photo_verified_ids = shown.ids
     from (select account_id, array_agg(id order by place) as ids, max(uploaded_at) as uploaded_at from picture
       where account_id = any ($1::uuid[]) and place >= 0 group by account_id
       having bool_or(place = 0 and state = 'approved')) shown
     where f.account_id = shown.account_id`,
    [some.map(({ id }) => id), before(now, verifiedDaysAgo * dayMs)],
  );
}
