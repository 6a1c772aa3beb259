import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  type BulkProgress,
  cancelBulk,
  getBulkAct,
  previewBulk,
  requestBulkApproval,
  startBulk,
} from '#contract/moderation/bulk.ts';
import { listTags } from '#contract/moderation/tags.ts';
import { findUsers } from '#contract/profiles/find.ts';
import { received, Refusal, serve } from '../../../test/fake-server.ts';
import { moderator } from '../../../test/fixtures/people.ts';
import { approval } from '../../../test/fixtures/staff/user-files.ts';
import { fourUsers, openUsers, serveUsers } from '../../../test/fixtures/staff/users-page.tsx';

const [ada, bo] = fourUsers;
if (ada === undefined || bo === undefined) throw new Error('no users');

const tagId = '5f0d6f0e-6c0c-4a6e-9b7e-0c8f5f1f2a11';
const progress = (changes: Partial<BulkProgress> = {}): BulkProgress => ({
  _id: 'act',
  kind: 'tag',
  state: 'running',
  total: 2,
  done: 0,
  failed: 0,
  startedAt: '2025-10-06T12:00:00.000Z',
  failures: [],
  ...changes,
});
// The server accepts only ids as they are in the database, which those of the fixtures are not.
const ids = ['0b0f3c1e-0000-4000-8000-000000000001', '0b0f3c1e-0000-4000-8000-000000000002'];
const people = fourUsers.slice(0, 2).map((user, at) => ({ ...user, _id: ids[at] ?? '' }));

beforeEach(() => {
  serveUsers(people);
  serve(listTags, () => ({ data: { tags: [{ _id: tagId, name: 'Press', isRetired: false, userCount: 2 }] } }));
  serve(previewBulk, () => ({
    data: { total: 2, fitting: 1, examples: people.slice(0, 1), skipped: [{ why: 'already' as const, count: 1 }] },
  }));
  serve(startBulk, () => ({ data: { act: progress() } }));
  serve(getBulkAct, () => ({ data: { act: progress({ done: 1 }) } }));
});

async function selectBoth(person: Awaited<ReturnType<typeof openUsers>>['person']) {
  await person.click(screen.getByRole('button', { name: 'Select users' }));
  await person.click(screen.getByRole('button', { name: 'Select the 2 loaded' }));
  return within(await screen.findByRole('group', { name: 'Selected users' }));
}

describe('acts on many users', () => {
  it('show who is affected and who is left out, then their progress, and can be canceled', async () => {
    const { person } = await openUsers();
    const bar = await selectBoth(person);
    expect(bar.getByText('2 selected')).toBeVisible();
    await person.click(bar.getByRole('button', { name: 'Add tag' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Add tag' }));
    expect(received(previewBulk)).toEqual([]);
    await person.selectOptions(dialog.getByRole('combobox', { name: /Tag/ }), 'Press');
    expect(await dialog.findByText('1 person is affected')).toBeVisible();
    expect(dialog.getByText('Ada Byron')).toBeVisible();
    expect(dialog.getByText('1 has the tag already')).toBeVisible();
    expect(received(previewBulk)[0]?.body).toEqual({ selection: { ids }, kind: 'tag', tagId });
    await person.type(dialog.getByRole('textbox', { name: /Reason/ }), 'A story about them');
    await person.click(dialog.getByRole('button', { name: 'Add tag' }));
    expect(await screen.findByText(/^1 of 2\./)).toBeVisible();
    expect(screen.queryByRole('group', { name: 'Selected users', hidden: true })).toBeNull();
    expect(received(startBulk)[0]?.body).toEqual({
      selection: { ids },
      act: { kind: 'tag', tagId },
      reason: 'A story about them',
    });

    const failures = [{ _id: ids[1] ?? '', name: 'Bo Ek', problem: 'A person can have 20 tags at most' }];
    const ended = progress({ state: 'canceled', done: 1, failed: 1, failures });
    serve(cancelBulk, () => ({ data: { act: ended } }));
    await person.click(screen.getByRole('button', { name: 'Cancel the rest' }));
    expect(await screen.findByText('Canceled after 1 of 2.')).toBeVisible();
    expect(screen.getByText('Failed with 1 person')).toBeVisible();
    expect(screen.getByRole('listitem')).toHaveTextContent('Bo Ek: A person can have 20 tags at most');
    await person.click(screen.getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('group', { name: 'Selected users' })).toBeNull();
    for (const box of screen.getAllByRole('checkbox')) expect(box).not.toBeChecked();
  });

  it('that added or removed a tag are undone for the people they changed', async () => {
    const [done, undone] = ['0b0f3c1e-0000-4000-8000-00000000000a', '0b0f3c1e-0000-4000-8000-00000000000b'];
    const ended = { state: 'done' as const, tagId, total: 1, done: 1 };
    serve(startBulk, ({ body: { act } }) => ({
      data: { act: progress({ _id: act.kind === 'tag' ? done : undone, kind: act.kind }) },
    }));
    serve(getBulkAct, ({ params: { id } }) => ({
      data: { act: progress({ ...ended, _id: id, kind: id === done ? 'tag' : 'untag' }) },
    }));
    const { person } = await openUsers();
    const bar = await selectBoth(person);
    await person.click(bar.getByRole('button', { name: 'Add tag' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Add tag' }));
    await person.selectOptions(dialog.getByRole('combobox', { name: /Tag/ }), 'Press');
    await person.type(dialog.getByRole('textbox', { name: /Reason/ }), 'A story about them');
    await person.click(dialog.getByRole('button', { name: 'Add tag' }));
    await person.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(await screen.findByRole('dialog', { name: 'Remove tag' })).toBeVisible();
    expect(await screen.findByText('Done with 1 of 1.')).toBeVisible();
    expect(received(startBulk)[1]?.body).toEqual({
      selection: { changedBy: done },
      act: { kind: 'untag', tagId },
      reason: 'Undone',
    });
  });

  async function openMessage() {
    const { person } = await openUsers();
    const bar = await selectBoth(person);
    await person.click(bar.getByRole('button', { name: 'Send message' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Send message' }));
    await person.type(dialog.getByRole('textbox', { name: /Message/ }), 'Closed on Monday.');
    await person.type(dialog.getByRole('textbox', { name: /Reason/ }), 'The holidays');
    return { person, dialog };
  }

  it.each([
    [
      'many people',
      () => serve(previewBulk, () => ({ data: { total: 101, fitting: 101, examples: [], skipped: [] } })),
    ],
    [
      'people beyond the day’s limit',
      () =>
        serve(startBulk, () => {
          throw new Refusal('APPROVAL_REQUIRED', 'A second person approves this');
        }),
    ],
  ])('that write to %s ask for an approval of the text', async (what, prepare) => {
    prepare();
    serve(requestBulkApproval, () => ({ data: { approval: approval({ kind: 'users.bulk' }) } }));
    const { person, dialog } = await openMessage();
    if (what !== 'many people') await person.click(dialog.getByRole('button', { name: 'Send message' }));
    await person.click(await dialog.findByRole('button', { name: 'Ask for approval' }));
    expect(await screen.findByText(/^Asked for approval/)).toBeVisible();
    expect(received(requestBulkApproval)[0]?.body).toEqual({
      selection: { ids },
      act: { kind: 'notice', text: 'Closed on Monday.' },
      reason: 'The holidays',
    });
  });

  it('that sent a message are withdrawn where it is unread', async () => {
    const act = { kind: 'notice' as const, state: 'done' as const, total: 1, done: 1 };
    serve(getBulkAct, () => ({ data: { act: progress({ ...act, _id: ids[0] ?? '' }) } }));
    serve(startBulk, () => ({ data: { act: progress({ ...act, _id: ids[0] ?? '' }) } }));
    const { person, dialog } = await openMessage();
    await person.click(dialog.getByRole('button', { name: 'Send message' }));
    await person.click(await screen.findByRole('button', { name: 'Take back where unread' }));
    await waitFor(() =>
      expect(received(startBulk)[1]?.body).toEqual({
        selection: { changedBy: ids[0] },
        act: { kind: 'takeBack' },
        reason: 'Undone',
      }),
    );
  });

  it('end when the last user is unselected', async () => {
    serveUsers(people.slice(0, 1));
    const { person } = await openUsers('/users?status=active');
    await person.click(screen.getByRole('button', { name: 'Select users' }));
    await person.click(screen.getByRole('checkbox', { name: /Ada/ }));
    await screen.findByRole('group', { name: 'Selected users' });
    expect(screen.queryByRole('button', { name: /^Select all/ })).toBeNull();
    await person.click(screen.getByRole('checkbox', { name: /Ada/ }));
    expect(screen.queryByRole('group', { name: 'Selected users' })).toBeNull();
  });

  it('of all matching users send the filters instead of ids', async () => {
    const { person } = await openUsers();
    await person.click(screen.getByRole('button', { name: 'Select users' }));
    await person.click(screen.getByRole('checkbox', { name: /Ada/ }));
    const bar = within(await screen.findByRole('group', { name: 'Selected users' }));
    await person.click(bar.getByRole('button', { name: 'Select all 2 matching users' }));
    expect(screen.getByRole('checkbox', { name: /Bo Ek/ })).toBeChecked();
    await person.click(bar.getByRole('button', { name: 'Add note' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Add note' }));
    expect(await dialog.findByText('1 person is affected')).toBeVisible();
    expect(received(previewBulk)[0]?.body).toEqual({ selection: { filters: {} }, kind: 'note' });
    expect(dialog.getByRole('alert')).toHaveTextContent('No filter is set: everyone is selected.');
  });

  it('give no warning about affecting everyone if a filter is set', async () => {
    const { person } = await openUsers('/users?status=active&sortBy=name');
    await person.click(screen.getByRole('button', { name: 'Select users' }));
    await person.click(screen.getByRole('checkbox', { name: /Ada/ }));
    await person.click(await screen.findByRole('button', { name: 'Add note' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Add note' }));
    expect(await dialog.findByText('1 person is affected')).toBeVisible();
    expect(dialog.queryByRole('alert')).toBeNull();
  });

  it('stay open with the text if the server refuses', async () => {
    serve(startBulk, () => {
      throw new Refusal('CONFLICT', 'This no longer applies to anyone');
    });
    const { person } = await openUsers();
    const bar = await selectBoth(person);
    await person.click(bar.getByRole('button', { name: 'Add note' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Add note' }));
    await person.type(dialog.getByRole('textbox', { name: /Note/ }), 'Called them.');
    await person.type(dialog.getByRole('textbox', { name: /Reason/ }), 'Spring');
    await person.click(dialog.getByRole('button', { name: 'Add note' }));
    expect(await dialog.findByText('This no longer applies to anyone')).toBeVisible();
    expect(dialog.getByRole('textbox', { name: /Note/ })).toHaveValue('Called them.');
  });

  it('work with people who were looked up, and are limited to the role', async () => {
    serve(findUsers, () => ({
      data: { found: people.map((user, term) => ({ term, user })), notFound: [], remaining: 58 },
    }));
    const { person } = await openUsers('/users', moderator());
    await person.click(screen.getByRole('textbox', { name: 'Search' }));
    await person.paste('ada@post.test bo@post.test');
    await screen.findByText(/2 people found/);
    const bar = await selectBoth(person);
    expect(bar.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
      'Add tag',
      'Remove tag',
      'Add note',
      'Clear',
    ]);
  });
});
