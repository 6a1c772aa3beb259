import { expect, it } from 'vitest';
import { addBookmark } from '#contract/bookmarks.ts';
import { noPreferences } from '#contract/discovery.ts';
import { putKnownPeople } from '#contract/known-people.ts';
import { snoozeConversation } from '#contract/messages.ts';
import { putNotificationSettings } from '#contract/notifications.ts';
import { putHiddenWords } from '#contract/profiles/hidden-words.ts';
import { putSavedFilters } from '#contract/saved-filters.ts';
import { hashPassword } from '../auth/password/hashing.ts';
import { takeArchive } from '../../../test/archive.ts';
import { makeMember } from '../../../test/factories.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { likesIn } from '../../../test/likes.ts';

const app = startAppForTests();

it('the data export has everything a member controls, and no address of someone else', async () => {
  const password = 'correct horse battery';
  const { token, ...ada } = await makeMember(app, { passwordHash: await hashPassword(password) });
  const [bo, cy] = [await makeMember(app, { firstName: 'Bo' }), await makeMember(app, { firstName: 'Cy' })];
  const id = await likesIn(() => app).match({ token, ...ada }, bo);
  const { order: _, elsewhere: __, ...preferences } = noPreferences;
  const filters = [{ name: 'Nearby', preferences }];
  const quiet = { from: '22:00', to: '07:00', zone: 'Europe/Vienna' };
  await app.call(putHiddenWords, { token, body: { words: ['crypto'] } });
  await app.call(putKnownPeople, { token, body: { addresses: ['someone.else@x.test'] } });
  await app.call(addBookmark, { token, params: { userId: cy.id } });
  await app.call(putSavedFilters, { token, body: { filters } });
  await app.call(putNotificationSettings, { token, body: { quiet } });
  const { body } = await app.call(snoozeConversation, { token, params: { id }, body: { days: 7 } });
  const now = app.clock.now().toISOString();
  const files = await takeArchive(app, token, { password });
  const text = Buffer.from(files['control.json'] ?? []).toString();
  expect(JSON.parse(text)).toEqual({
    hiddenWords: ['crypto'],
    knownPeople: [{ addedAt: now }],
    bookmarks: [{ name: 'Cy', bookmarkedAt: now }],
    savedFilters: filters,
    quietHours: quiet,
    snoozed: [{ name: 'Bo', until: body.data.snoozedUntil }],
  });
  expect(Buffer.from(files['README.txt'] ?? []).toString()).toContain('control.json');
});
