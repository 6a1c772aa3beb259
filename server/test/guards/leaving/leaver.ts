import { randomUUID } from 'node:crypto';
import { addBookmark } from '#contract/bookmarks.ts';
import { getCards, noPreferences } from '#contract/discovery.ts';
import { putKnownPeople } from '#contract/known-people.ts';
import { uploadMessageMedia } from '#contract/messages/message-media.ts';
import {
  answerMeeting,
  editMessage,
  goodbyes,
  reactToMessage,
  endKindly,
  sendMessage,
} from '#contract/messages/messages.ts';
import { putNotificationSettings, subscribePush } from '#contract/notifications.ts';
import { putHiddenWords } from '#contract/profiles/hidden-words.ts';
import { putSavedFilters } from '#contract/saved-filters.ts';
import { askForRemoval, enableTotp, setUpTotp } from '#contract/auth/factors.ts';
import { passkeyRegister, passkeyRegisterOptions } from '#contract/auth/passkeys.ts';
import { addIdentity } from '#contract/auth/identities.ts';
import { makeMember, type TestMember } from '../../factories.ts';
import type { TestApp } from '../../harness.ts';
import { likesIn } from '../../likes.ts';
import { placeTalk } from '../../messages.ts';
import { draw } from '../../pictures.ts';
import { agree, sharedToken } from '../../dates.ts';
import { fileReport } from '../../moderation/reports.ts';
import { browserSubscription } from '../cases/notifications.ts';
import { Authenticator } from '../../doubles/authenticator.ts';
import { challengeOf, codeAt, takeTokens } from '../../factors.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import { password } from '../people.ts';
import { idTokenOf, linkTokenFor } from '../cases/identities.ts';

type Leaver = Pick<TestMember, 'id' | 'token'>;

/** Writes a message as the leaver and edits it. */
async function writeAndChange(test: TestApp, { token }: Leaver, id: string, text: string): Promise<void> {
  const body = { clientId: randomUUID(), text };
  await test.call(sendMessage, { token, params: { id }, body });
  await test.call(editMessage, { token, params: { id, seq: '1' }, body: { text: `${text} Really.` } });
}

/** Makes someone write to the leaver first. */
async function beWrittenTo(test: TestApp, writer: TestMember, leaver: Leaver): Promise<void> {
  const { like } = likesIn(() => test);
  await like(leaver, writer);
  const { matchId = '' } = (await like(writer, leaver)).body.data;
  const body = { clientId: randomUUID(), text: 'Hello' };
  await test.call(sendMessage, { token: writer.token, params: { id: matchId }, body });
}

/** Sends a photo as the leaver to a match who has answered, and leaves another one unsent. */
async function sendPhoto(test: TestApp, { token }: Leaver, matched: TestMember, id: string): Promise<void> {
  const body = { clientId: randomUUID(), text: 'Hello' };
  await test.call(sendMessage, { token: matched.token, params: { id }, body });
  const upload = async () => {
    const given = { token, params: { id }, query: { kind: 'picture' as const }, file: { bytes: await draw() } };
    return (await test.call(uploadMessageMedia, given)).body.data._id;
  };
  const pictures = [await upload()];
  await upload();
  await test.call(sendMessage, { token, params: { id }, body: { clientId: randomUUID(), text: '', pictures } });
}

/** Stores notification settings and a device of the leaver. */
async function chooseNotifications(test: TestApp, { token }: Leaver): Promise<void> {
  const settings = { like: { mail: 'never' as const, push: true } };
  await test.call(putNotificationSettings, { token, body: { settings } });
  await test.call(subscribePush, { token, body: browserSubscription() });
}

/** Fills every table in which the leaver and others control who they see; `words` contains the leaver's words. */
async function control(test: TestApp, leaver: Leaver & { email: string }, one: TestMember, words: string) {
  const { token } = leaver;
  await test.call(putHiddenWords, { token, body: { words: [words] } });
  await test.call(putKnownPeople, { token, body: { addresses: [one.email] } });
  await test.call(putKnownPeople, { token: one.token, body: { addresses: [leaver.email] } });
  const { order: _, elsewhere: __, ...preferences } = noPreferences;
  await test.call(putSavedFilters, { token, body: { filters: [{ name: words, preferences }] } });
  const quiet = { from: '22:00', to: '07:00', zone: 'UTC' };
  await test.call(putNotificationSettings, { token, body: { quiet } });
  const seen = await makeMember(test);
  await test.call(addBookmark, { token, params: { userId: seen.id } });
  await test.call(addBookmark, { token: seen.token, params: { userId: leaver.id } });
}

/** Reacts to a message of a match, and ends it with a goodbye. */
async function reactAndPart(test: TestApp, leaver: Leaver, other: TestMember): Promise<void> {
  const { like } = likesIn(() => test);
  await like(other, leaver);
  const { matchId: id = '' } = (await like(leaver, other)).body.data;
  await test.call(sendMessage, { token: other.token, params: { id }, body: { clientId: randomUUID(), text: 'Hello' } });
  await test.call(reactToMessage, { token: leaver.token, params: { id, seq: '1' }, body: { emoji: '❤️' } });
  await test.call(endKindly, { token: leaver.token, params: { id }, body: { text: goodbyes[0] } });
}

/**
 * Fills every table that stores likes and cards: a match with a note and a reported message, decisions that were
 * learned from, queued or undone, and cards in both directions.
 */
export async function likeAndMatch(test: TestApp, leaver: Leaver, note: string): Promise<void> {
  const { like, pass, undo } = likesIn(() => test);
  const stranger = () => makeMember(test, { gender: 'man', lastActiveAt: test.clock.now() });
  const [matched, passed, admirer] = [await stranger(), await stranger(), await stranger()];
  await pass(leaver, passed);
  await test.app.background.tasks['discovery.learn']?.({}, {} as never);
  await undo(leaver);
  await like(leaver, matched, { note });
  const { matchId = '' } = (await like(matched, leaver)).body.data;
  await writeAndChange(test, leaver, matchId, note);
  const held = { conversation_id: matchId, sender_id: leaver.id, n: 1, client_id: randomUUID(), body: note };
  await test.db
    .insertInto('held_message')
    .values({ ...held, sent_at: test.clock.now() })
    .execute();
  await fileReport(test, matched, { evidence: [{ type: 'message', id: matchId, seq: 1 }], hideFromEachOther: false });
  await sendPhoto(test, leaver, matched, matchId);
  await placeTalk(test, matchId);
  const date = await agree(test, leaver, matched, matchId, { place: note, note });
  await sharedToken(test, leaver, date);
  await test.call(answerMeeting, { token: leaver.token, params: { id: matchId }, body: { met: 'yes' } });
  await beWrittenTo(test, await stranger(), leaver);
  await reactAndPart(test, leaver, await stranger());
  await like(admirer, leaver);
  await chooseNotifications(test, leaver);
  const { id } = leaver;
  const { email } = await test.db.selectFrom('account').select('email').where('id', '=', id).executeTakeFirstOrThrow();
  await control(test, { ...leaver, email }, await stranger(), note);
  await test.db
    .updateTable('presence')
    .set({ last_active_at: test.clock.now() })
    .where('account_id', '=', id)
    .execute();
  await test.app.background.tasks['discovery.noteActivity']?.({}, {} as never);
  for (const { token } of [leaver, passed]) await test.call(getCards, { token });
}

/**
 * Fills every table that stores two-step verification and passkeys: one of each, an unfinished one, a pending sign-in,
 * a requested removal and a pending restore of an address. The member gets the new tokens; returns a code that still
 * works.
 */
export async function protectAccount(
  test: TestApp,
  member: Pick<TestMember, 'id' | 'token'>,
  email: string,
  passkeyName: string,
): Promise<string> {
  const { id, token } = member;
  const now = test.clock.now();
  const { secret } = (await test.call(setUpTotp, { token, body: { password } })).body.data;
  const { sealed_secret } = await test.db.selectFrom('totp_setup').selectAll().executeTakeFirstOrThrow();
  const enabled = await test.call(enableTotp, { token, body: { code: codeAt(secret, now) } });
  await test.db.insertInto('totp_setup').values({ account_id: id, sealed_secret, expires_at: now }).execute();
  takeTokens(member, enabled.body.data);
  const [recoveryCode = '', code = ''] = enabled.body.data.recoveryCodes;
  const begin = async (code: string) =>
    (await test.call(passkeyRegisterOptions, { token: member.token, body: { password, code } })).body.data.options;
  const credential = new Authenticator().make(await begin(codeAt(secret, now, 1)));
  await test.call(passkeyRegister, { token: member.token, body: { credential, name: passkeyName } });
  await begin(recoveryCode);
  await test.db
    .insertInto('former_password')
    .values({ account_id: id, password_hash: 'a digest', replaced_at: now })
    .execute();
  await test.db
    .updateTable('former_address')
    .set({ changed_at: secondsAfter(now, -8 * 86_400) })
    .where('account_id', '=', id)
    .execute();
  const { restore_hash } = await test.db.selectFrom('former_address').select('restore_hash').executeTakeFirstOrThrow();
  await test.db
    .insertInto('address_restore')
    .values({ account_id: id, restore_hash, stop_hash: restore_hash, password_hash: 'x', password_suits_staff: false })
    .execute();
  await test.call(askForRemoval, { body: { challenge: await challengeOf(test, email, password) } });
  return code;
}

/** Links the leaver to Google, and leaves a Facebook sign-in that waits for the password. */
export async function signInWithOthers(test: TestApp, { token }: { token: string }, email: string): Promise<void> {
  await test.call(addIdentity, { token, body: { tokenId: await idTokenOf(test, email), password } });
  await linkTokenFor(test, email);
}

/** Warns accounts about the person of a sanction, whose name they know. */
export async function placeWarnings(test: TestApp, sanctionId: string, ids: string[], name: string): Promise<void> {
  const warning = { sanction_id: sanctionId, first_name: name, warned_at: test.clock.now() };
  const rows = ids.map((account_id) => ({ ...warning, account_id }));
  await test.db.insertInto('fraud_warning').values(rows).execute();
}
