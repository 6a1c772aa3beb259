import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/runtime-macro';
import { strToU8, Zip, ZipDeflate, ZipPassThrough } from 'fflate';
import type { Owner } from '#platform/session/caller.ts';
import type { Deps } from '../../deps.ts';
import type { Db } from '#platform/db/db.ts';
import type { ExportFile } from '#platform/people/forget.ts';
import { toOwnUser } from '#platform/session/own-user.ts';
import { textOf } from '#platform/texts.ts';
import { accountData } from '../auth/public.ts';
import { answersInWords } from '../compatibility/public.ts';
import { ageOf, hiddenWordsOf, ownChanges } from '../profiles/public.ts';
import { loosePictures } from '../media/public.ts';
import { learnedData, preferencesOf, savedFiltersOf } from '../discovery/public.ts';
import { activityData } from '../insights/public.ts';
import { blocksBy, bookmarksData, knownPeopleData, likesData } from '../connections/public.ts';
import { datesData } from '../dates/public.ts';
import { meetingsData, messageFiles, messagesData, reactionsData, snoozedData } from '../messages/public.ts';
import { notificationSettings, quietHoursOf } from '../notifications/public.ts';
import { premiumData } from '../subscriptions/public.ts';
import { appealsBy, endedHolds, ownFile, reportsFiledBy, warningsOf } from '../moderation/public.ts';
import { selfiesData } from '../selfies/public.ts';

/** The content of each file in the map of data about people, as `README.txt` describes it. */
const files: Record<ExportFile, MessageDescriptor> = {
  'account.json': msg`your email address, sign-in methods, devices and consents`,
  'pictures/': msg`your pictures as we store them; other-… are not on your profile, or will be deleted soon`,
  'profile.json': msg`your profile, and your place as the center of a cell of about three kilometers`,
  'changes.json': msg`which parts of your profile you changed, and when`,
  'preferences.json': msg`who you want to see`,
  'answers.json': msg`your answers to our questions; no one else ever reads them`,
  'likes.json': msg`people you liked, with your notes, your matches, and how often you passed`,
  'messages.json': msg`what you wrote to your matches, with their name while the match lasts`,
  'messages/': msg`photos and voice messages that you sent to your matches, or that will be deleted soon`,
  'reactions.json': msg`your reactions to messages of your matches`,
  'meetings.json': msg`what you said about having met them; no one else ever reads it`,
  'dates.json': msg`dates you planned, whether you shared them, and whether we ask you how they went`,
  'notifications.json': msg`your settings for emails and push notifications`,
  'activity.json': msg`the days on which you were here, and what you did for the first time`,
  'learned.json': msg`what the order of profiles has learned from your decisions`,
  'blocks.json': msg`people you blocked`,
  'control.json': msg`what only you see: your hidden words, bookmarks, saved filters, quiet hours and snoozed conversations, and when you added addresses of people you know; we can't read those addresses ourselves`,
  'reports.json': msg`what you told our team, and what they answered`,
  'appeals.json': msg`decisions you appealed, and what we answered`,
  'warnings.json': msg`that we warned you about someone who was banned, and when`,
  'selfies.json': msg`who may write to you first, when you sent selfies, and what we decided; we deleted the selfies`,
  'age.json': msg`whether you were asked to confirm your age, how a check ended, and on which day`,
  'holds.json': msg`that what you sent to new people waited for a check, by the month in which that ended`,
  'staff.json': msg`that our team opened your account, and why, by the day on which it was added; never who`,
  'premium.json': msg`your subscriptions and invoices; our payment provider stores your cards`,
};

const readMe = () =>
  [
    textOf(msg`What {brand} knows about you, and what you wrote.`),
    Object.entries(files)
      .map(([name, text]) => `${name.padEnd(18)} ${textOf(text)}`)
      .join('\n'),
    textOf(
      msg`Our team can write notes about an account and give it tags, and software compares facts about accounts to find fraud. What they say may be about other people, too, so a colleague reads it first: ask for a copy through Support.`,
    ),
    `${textOf(msg`Nothing in here is about other people, except the first names of those you liked, matched with or blocked.`)}\n`,
  ].join('\n\n');

const fileNameOf = (index: number) => `pictures/${index + 1}.webp`;

/** The caller's profile, with file names in the archive instead of expiring picture addresses. */
function ownData(deps: Deps, caller: Owner, now: Date) {
  const { pictures, profilePicture: _, more_pictures: __, ...profile } = toOwnUser(caller, now, deps.pictures);
  const { latitude, longitude } = caller;
  return {
    ...profile,
    pictures: pictures.map(({ url, thumbnailUrl: ___, publicId: ____, ...picture }, index) => ({
      ...picture,
      file: url === '' ? null : fileNameOf(index),
    })),
    placeCell: latitude === null ? null : { latitude, longitude },
  };
}

/** The stored files of the caller's pictures: those on the profile, a replaced one still shown to others, and uploads. */
async function pictureFiles(deps: Deps, caller: Owner): Promise<[name: string, file: string][]> {
  const listed = caller.pictures.filter(({ place }) => place !== -1);
  const others = await loosePictures(deps.db, caller.accountId);
  return [
    ...listed.flatMap(({ key, place }, index): [string, string][] =>
      place === undefined ? [] : [[fileNameOf(index), `${key}.large`]],
    ),
    ...others.map((key, index): [string, string] => [`pictures/other-${index + 1}.webp`, `${key}.large`]),
  ];
}

async function* filesOf(deps: Deps, caller: Owner, now: Date): AsyncGenerator<[name: string, file: string]> {
  yield* await pictureFiles(deps, caller);
  for await (const files of messageFiles(deps.db, caller.accountId, now)) yield* files;
}

/** The content of a JSON file: one value, or a list that comes in batches. */
type Content = Promise<unknown> | AsyncIterable<unknown[]>;

/** What reads each JSON file of the archive, in their order. */
function readers(deps: Deps, caller: Owner, now: Date): Record<Exclude<ExportFile, `${string}/`>, () => Content> {
  const { db } = deps;
  const { accountId } = caller;
  return {
    'account.json': () => accountData(db, caller, now),
    'profile.json': () => Promise.resolve(ownData(deps, caller, now)),
    'changes.json': () => ownChanges(db, accountId),
    'preferences.json': () => preferencesOf(db, caller),
    'answers.json': () => answersInWords(db, accountId),
    'likes.json': () => likesData(db, accountId),
    'messages.json': () => messagesData(db, accountId),
    'reactions.json': () => reactionsData(db, accountId),
    'meetings.json': () => meetingsData(db, accountId),
    'dates.json': () => datesData(db, accountId),
    'notifications.json': () => notificationSettings(db, accountId),
    'activity.json': () => activityData(db, accountId),
    'learned.json': () => learnedData(db, accountId, now),
    'blocks.json': () => blocksBy(db, accountId),
    'control.json': () => controlData(db, accountId, now),
    'reports.json': () => reportsFiledBy(db, accountId),
    'appeals.json': () => appealsBy(db, accountId),
    'warnings.json': () => warningsOf(db, accountId),
    'selfies.json': () => selfiesData(db, accountId),
    'age.json': () => ageOf(db, accountId, now),
    'holds.json': () => endedHolds(db, accountId, now),
    'staff.json': () => ownFile(db, accountId),
    'premium.json': () => premiumData(db, accountId),
  };
}

/** The text of a JSON file in parts, each of which is read only when it is needed. */
async function* textOfFile(content: Content): AsyncGenerator<string> {
  if (content instanceof Promise) {
    yield `${JSON.stringify(await content, null, 2)}\n`;
    return;
  }
  let before = '[\n';
  for await (const rows of content) {
    yield before + rows.map((row) => `  ${JSON.stringify(row)}`).join(',\n');
    before = ',\n';
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}

/** A member's private choices, which no one else ever sees. */
async function controlData(db: Db, accountId: string, now: Date) {
  return {
    hiddenWords: await hiddenWordsOf(db, accountId),
    knownPeople: await knownPeopleData(db, accountId),
    bookmarks: await bookmarksData(db, accountId),
    savedFilters: await savedFiltersOf(db, accountId),
    quietHours: await quietHoursOf(db, accountId),
    snoozed: await snoozedData(db, accountId, now),
  };
}

/**
 * All of the caller's data as one ZIP archive, without anyone else's data. It is produced in parts: one batch of messages or one picture is
 * in memory at a time.
 */
export async function* archiveOf(deps: Deps, caller: Owner, now: Date): AsyncGenerator<Uint8Array> {
  let ready: Uint8Array[] = [];
  const zip = new Zip((error, part) => {
    if (error) throw error;
    ready.push(part);
  });
  const taken = () => {
    const parts = ready;
    ready = [];
    return parts;
  };
  const readMeFile = new ZipDeflate('README.txt');
  zip.add(readMeFile);
  readMeFile.push(strToU8(readMe()), true);
  for (const [name, read] of Object.entries(readers(deps, caller, now))) {
    const file = new ZipDeflate(name);
    zip.add(file);
    for await (const part of textOfFile(read())) {
      file.push(strToU8(part));
      yield* taken();
    }
    file.push(new Uint8Array(0), true);
  }
  for await (const [name, stored] of filesOf(deps, caller, now)) {
    const bytes = await deps.storage.get(stored);
    if (bytes === null) continue;
    const file = new ZipPassThrough(name);
    zip.add(file);
    file.push(bytes, true);
    yield* taken();
  }
  zip.end();
  yield* taken();
}
