import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { listTags, tagUser } from '#contract/moderation/tags.ts';
import { addNote, changeNote, getUserFile } from '#contract/moderation/user-file.ts';
import { getAdminUser } from '#contract/profiles/staff.ts';
import { fileKindNames } from '#contract/roles.ts';
import { listSubscriptions } from '#contract/subscriptions/subscriptions.ts';
import { failWith, received, Refusal, serve } from '../../../test/fake-server.ts';
import { administrator } from '../../../test/fixtures/people.ts';
import { fileEntry, fileTag, serveFile } from '../../../test/fixtures/staff/user-files.ts';
import { adminUser, listedUser } from '../../../test/fixtures/staff/users.ts';
import { currentAddress, renderApp } from '../../../test/render-app.tsx';

beforeEach(() => {
  serve(getAdminUser, () => ({ data: { user: adminUser(listedUser({ _id: 'ada' })) } }));
  serve(listSubscriptions, () => ({ data: { subscriptions: [] } }));
});

const findFile = async () => within(await screen.findByRole('region', { name: 'File' }));
const sentences = async () => {
  const list = await (await findFile()).findByRole('list', { name: 'File' });
  return within(list)
    .getAllByRole('listitem')
    .map((item) => item.querySelector('p')?.textContent);
};

describe('the file of a user', () => {
  it('describes what happened in sentences, with links', async () => {
    const person = { _id: 'sam', name: 'Sam Ito' };
    const strict = { what: 'suspend', strikes: 2, endsAt: '2025-11-01T10:00:00.000Z', isRevoked: true };
    serveFile([
      fileEntry('reported', {
        actor: null,
        opens: { type: 'report', id: 'report-aa11bb' },
        facts: { what: 'Harassment', state: 'pending', person },
      }),
      fileEntry('report', { actor: null, facts: { what: 'Bug Report', state: 'resolved', person: null } }),
      fileEntry('message', { facts: { what: 'sent', state: 'pending' } }),
      fileEntry('message', {
        opens: { type: 'report', id: 'report-ee33ff' },
        facts: { what: 'answered', state: 'pending' },
      }),
      fileEntry('case', { opens: { type: 'case', id: 'case-cc22dd' }, facts: { what: 'escalated', state: '' } }),
      fileEntry('decision', { actor: { name: 'Mo Ek', role: null }, facts: { what: 'actioned' } }),
      fileEntry('sanction', { facts: strict }),
      fileEntry('appeal', { facts: { what: 'overturned', state: 'person', person: null } }),
      fileEntry('link', { opens: { type: 'user', id: 'sam' }, facts: { what: 'card', strength: 'strong', person } }),
      fileEntry('subscription', { facts: { what: 'granted', days: 1, text: 'An outage' } }),
      fileEntry('help', { facts: { what: 'help.resetLinkSent', text: 'Called' } }),
      fileEntry('payment', { facts: { what: 'paid', amountMinor: 1499, currency: 'USD' } }),
      fileEntry('mail', { actor: null, facts: { what: 'passwordChanged', state: 'dead' } }),
      fileEntry('mail', { _id: 'mail 2', actor: null, facts: { what: 'newDevice', state: 'sent' } }),
      fileEntry('mail', { _id: 'mail 3', actor: null, facts: { what: 'passkeyAdded', state: 'waiting' } }),
      fileEntry('signIn', { actor: null, facts: { what: 'session', device: 'Firefox on Linux' } }),
      fileEntry('note', { facts: { text: 'Called.\nWas kind.' } }),
      fileEntry('tag', { facts: { what: 'removed', tag: 'Call back' } }),
      fileEntry('profile', { actor: null, facts: { what: 'own', fields: ['bio', 'location'] } }),
      fileEntry('read', { facts: { what: 'user.read' } }),
      fileEntry('picture', { actor: null, isUnreadable: true }),
    ]);
    renderApp('/users/ada', administrator());
    expect(await sentences()).toEqual([
      'Reported by Sam Ito: Harassment (Pending) · Report aa11bb',
      'Filed a report: Bug Report (Resolved)',
      'Jonas Weir wrote to them, and they have not answered yet',
      'Jonas Weir wrote to them, and they answered (Pending) · Report ee33ff',
      'Jonas Weir escalated the case · Case cc22dd',
      'Mo Ek decided: Rules were broken',
      'Jonas Weir imposed: Suspension',
      'a deleted account appealed a decision: Overturned',
      'In common with Sam Ito, who was banned: Same card (Strong) · Their page',
      'Jonas Weir gave Premium for 1 day',
      'Jonas Weir sent a link to choose a new password',
      'Paid $14.99',
      'Email refused by the mail server: Password changed',
      'Email accepted by the mail server: Sign-in on a new device',
      'Email waiting to be sent: Passkey added',
      'Signed in on Firefox on Linux',
      'Jonas Weir wrote',
      'Jonas Weir removed the tag Call back',
      'Changed their profile: Bio, Location',
      'Jonas Weir viewed the account',
      "This entry can't be read",
    ]);
    expect(screen.getByRole('link', { name: 'Report aa11bb' })).toHaveAttribute('href', '/reports/report-aa11bb');
    expect(screen.getByText(/2 strikes · until .+ · taken back/)).toBeVisible();
    for (const reason of [/Was kind/, 'An outage', 'Called']) expect(screen.getByText(reason)).toBeVisible();
    expect(document.body.textContent).not.toMatch(/undefined|NaN|\{\w+\}/);
  });

  it('can be filtered by kind, and keeps the filter in the address', async () => {
    serveFile([fileEntry('note', { facts: { text: 'Called.' } }), fileEntry('read', { facts: { what: 'user.read' } })]);
    const { person } = renderApp('/users/ada?kind=note', administrator());
    const file = await findFile();
    expect(await file.findByText('Called.')).toBeVisible();
    expect(file.queryByText(/viewed the account/)).toBeNull();
    await person.selectOptions(file.getByRole('combobox', { name: 'Show' }), 'Viewed by the team');
    expect(await file.findByText(/viewed the account/)).toBeVisible();
    expect(currentAddress()).toBe('/users/ada?kind=note%2Cread');
    await person.click(file.getByRole('button', { name: 'Remove filter: Notes' }));
    await waitFor(() => expect(file.queryByText('Called.')).toBeNull());
    expect(received(getUserFile).map(({ query }) => query.kind)).toEqual([['note'], ['note', 'read'], ['read']]);
    await person.click(file.getByRole('button', { name: 'Remove filter: Viewed by the team' }));
    expect(await file.findByRole('option', { name: 'Everything but views by the team' })).toBeVisible();
  });

  it('loads page by page', async () => {
    serve(getUserFile, ({ query: { cursor } }) => ({
      data: {
        entries: [fileEntry('note', { _id: `note ${cursor ?? 'first'}`, facts: { text: cursor ?? 'first' } })],
        kinds: [...fileKindNames],
        tags: [],
        nextCursor: cursor === undefined ? 'second' : null,
      },
    }));
    const { person } = renderApp('/users/ada', administrator());
    await person.click(await screen.findByRole('button', { name: 'Show more' }));
    expect(await screen.findByText('second')).toBeVisible();
    expect(screen.getByText('first')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
  });

  it('combines equal emails in a row into one row that opens, even across pages', async () => {
    const mail = (day: number, facts = {}) =>
      fileEntry('mail', {
        _id: `mail ${day}`,
        actor: null,
        at: `2025-10-0${day}T10:00:00.000Z`,
        facts: { what: 'notifications', state: 'sent', ...facts },
      });
    const pages = [
      [mail(9, { state: 'dead' }), mail(8), mail(7)],
      [mail(6), mail(5, { what: 'newDevice' }), mail(4)],
    ];
    serve(getUserFile, ({ query: { cursor } }) => ({
      data: {
        entries: pages[cursor === undefined ? 0 : 1] ?? [],
        kinds: [...fileKindNames],
        tags: [],
        nextCursor: cursor === undefined ? 'second' : null,
      },
    }));
    const { person } = renderApp('/users/ada', administrator());
    await person.click(await screen.findByRole('button', { name: 'Show more' }));
    await screen.findByText(/Sign-in on a new device/);
    const list = screen.getByRole('list', { name: 'File' });
    expect([...list.children].map((row) => row.querySelector('p')?.textContent)).toEqual([
      'Email refused by the mail server: Notifications',
      expect.stringMatching(/^Email accepted by the mail server: Notifications · 3 times since .*Oct 6/),
      'Email accepted by the mail server: Sign-in on a new device',
      'Email accepted by the mail server: Notifications',
    ]);
    await person.click(screen.getByText('Show each'));
    expect(list.querySelectorAll('details[open] li')).toHaveLength(3);
  });

  it.each([
    ['empty', fileKindNames, 'Nothing happened yet.'],
    ['closed', [], 'You are involved with this person, so their file is closed to you.'],
  ] as const)('shows that it is %s', async (_, kinds, text) => {
    serve(getUserFile, () => ({ data: { entries: [], kinds: [...kinds], tags: [], nextCursor: null } }));
    renderApp('/users/ada', administrator());
    expect(await screen.findByText(text)).toBeVisible();
  });

  it('accepts a note, and its correction while there is time', async () => {
    const now = Date.now();
    const own = fileEntry('note', {
      _id: 'note 7',
      facts: { text: 'Firts' },
      editableUntil: new Date(now + 60_000).toISOString(),
    });
    serveFile([own, fileEntry('note', { _id: 'note 8', facts: { text: 'Older' } })]);
    serve(addNote, () => ({ data: { note: own } }));
    failWith(changeNote, new Refusal('TOO_LATE', 'A note can be changed for 15 minutes. Please write another one.'));
    const { person } = renderApp('/users/ada', administrator());
    await person.click(await screen.findByRole('button', { name: 'Add note' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Note about Ada Byron' }));
    await person.click(dialog.getByRole('button', { name: 'Save note' }));
    expect(dialog.getByText('This is required')).toBeVisible();
    await person.type(dialog.getByRole('textbox', { name: /^Note/ }), 'Called');
    await person.click(dialog.getByRole('button', { name: 'Save note' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(received(addNote)).toMatchObject([{ params: { id: 'ada' }, body: { text: 'Called' } }]);
    await person.click(screen.getByRole('button', { name: 'Edit note' }));
    const field = screen.getByRole('textbox', { name: /^Note/ });
    expect(field).toHaveValue('Firts');
    await person.clear(field);
    await person.type(field, 'First');
    await person.click(screen.getByRole('button', { name: 'Save note' }));
    expect(await screen.findByText(/A note can be changed for 15 minutes/)).toBeVisible();
    expect(received(changeNote)).toMatchObject([{ params: { id: '7' }, body: { text: 'First' } }]);
  });

  it('shows tags, and adds and removes several at once', async () => {
    const scam = fileTag({ _id: 'tag-2', name: 'Scam' });
    serveFile([], [fileTag()]);
    serve(listTags, () => ({
      data: { tags: [fileTag(), scam, fileTag({ _id: 'tag-3', name: 'Old', isRetired: true })] },
    }));
    serve(tagUser, () => ({ data: { tags: [] } }));
    const { person } = renderApp('/users/ada', administrator());
    expect(await (await findFile()).findByText('Call back')).toBeVisible();
    await person.click(screen.getByRole('button', { name: 'Change tags' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Tags of Ada Byron' }));
    await person.click(await dialog.findByRole('checkbox', { name: 'Scam' }));
    await person.click(dialog.getByRole('button', { name: 'Remove Call back' }));
    expect(dialog.queryByRole('checkbox', { name: 'Old' })).toBeNull();
    await person.click(dialog.getByRole('button', { name: 'Save tags' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(received(tagUser).map(({ body }) => body)).toEqual([{ add: ['tag-2'], remove: ['tag-1'] }]);
  });

  it('offers no notes and tags to people who may not act on the user', async () => {
    const can = { act: false, edit: false, activate: false, deactivate: false, changeRole: false };
    serve(getAdminUser, () => ({ data: { user: adminUser(listedUser({ _id: 'ada' }), { can }) } }));
    serveFile([fileEntry('read', { facts: { what: 'user.read' } })], [fileTag()]);
    renderApp('/users/ada', administrator());
    expect(await (await findFile()).findByText('Call back')).toBeVisible();
    expect(screen.queryByRole('button', { name: /Add note|Change tags/ })).toBeNull();
  });
});
