import type pg from 'pg';
import type { AuditAction } from '#contract/moderation/audit.ts';
import type { StaffRole } from '#contract/staff-roles.ts';
import { copyRows } from '#platform/db/copy-rows.ts';
import { fullName } from '#platform/session/own-user.ts';
import { before, dayMs, hourMs } from './calendar.ts';
import { demoId } from './members/id.ts';
import { colleague, demoMember, namedMemberCount, unreportedNumbers } from './members/member.ts';

const moreTags = ['Beta tester', 'Possible duplicate', 'Refund promised', 'Success story'];
const retiredTag = 'Launch party guest';

const notes: readonly [by: StaffRole, text: string][] = [
  ['support', 'Called about a lost phone. Signs in by password again, no further action.'],
  ['moderator', 'The pictures look like a catalogue. A search found nothing; look again after the next report.'],
  ['billing', 'Was charged twice in March. The second charge is paid back, receipt sent.'],
  ['senior', 'Wants a paper copy of the answer to the appeal. Sent on the same day.'],
  ['support', 'Prefers to be written to in Portuguese.'],
  ['admin', 'A newspaper asked about this profile. All questions go to Iris.'],
  ['moderator', 'Told us of a stalker. Look at new accounts from the same city with care.'],
  ['support', 'Asked for a call back on a weekday after six.'],
];
/** The acts of colleagues in the file with the most entries. */
const acts: readonly [by: StaffRole, action: AuditAction, hoursAgo: number, reason: string | null][] = [
  ['support', 'help.signInUnlocked', 73, 'Called: the new phone had an old password.'],
  ['moderator', 'picture.approved', 52, null],
  ['support', 'user.read', 51, null],
  ['admin', 'user.read', 50, null],
];
/** Every fifth of the randomly drawn members gets a tag, up to this number, and the first ones also a note. */
const mostTagged = 36;
const noted = 24;
const firstTagged = namedMemberCount + 12;
/** A member with an unconfirmed address, to which the confirmation could not be delivered. */
const unconfirmed = 7;

/** The colleague who did it. */
function by(role: StaffRole, now: Date): { id: string; name: string; role: StaffRole } {
  const { id, firstName, lastName } = colleague(role, now);
  return { id, name: fullName(firstName, lastName) ?? '', role };
}

/**
 * Writes the contents of people's files: tags and notes, a gift of premium, accepted and refused mails, help and reads by staff. One file
 * has nearly everything. Also writes an export that waits for a second administrator.
 */
export async function copyFiles(client: pg.ClientBase, members: number, now: Date): Promise<void> {
  const [known = 0, gifted = 0] = unreportedNumbers;
  if (members <= Math.max(...unreportedNumbers)) return;
  const ago = (hours: number) => before(now, hours * hourMs);
  const account_id = demoId(known);
  const newTags = [...moreTags, retiredTag].map((name) => ({
    name,
    retired_at: name === retiredTag ? ago(720) : null,
  }));
  await copyRows(client, 'user_tag', newTags);
  const [admin, givenAt, ends_at] = [by('admin', now), ago(2 * 24), ago(-5 * 24)];
  const gift = { days: 7, starts_at: givenAt, granted_at: givenAt, reason: 'The service was down on Sunday.' };
  const request = {
    kind: 'users.export',
    payload: JSON.stringify({ rows: members, columns: ['id', 'joined', 'lastActive', 'country'], filters: {} }),
    reason: 'How many people come back, by country, for the yearly report.',
  };
  const tables = {
    ...(await tagsAndNotes(client, [known, members], now)),
    mail: mails(known, now),
    profile_change: [
      { account_id, at: ago(140), fields: ['bio'] },
      { account_id, at: ago(40), fields: ['bio', 'location'] },
    ],
    known_device: [
      { account_id, device: 'Firefox on Linux', network: '192.0.2.0', last_seen_at: ago(72) },
      { account_id, device: 'Safari on iPhone', network: '198.51.100.0', last_seen_at: ago(51) },
    ],
    audit_event: acts.map(([role, action, hours, reason]) => {
      const { id, name } = by(role, now);
      const actor = { actor_id: id, actor_name: name, actor_role: role };
      return { at: ago(hours), ...actor, action, target_type: 'user', target_id: account_id, reason };
    }),
    approval: [{ ...request, requested_by: admin.id, requested_by_name: admin.name, requested_at: ago(3) }],
    // In the form that `grant` writes.
    premium_grant: [{ ...gift, account_id: demoId(gifted), ends_at, granted_by_name: by('support', now).name }],
    entitlement: [{ account_id: demoId(gifted), until: ends_at }],
  };
  for (const [table, rows] of Object.entries(tables)) await copyRows(client, table, rows);
  await client.query('update account set is_vip = true where id = $1', [demoId(gifted)]);
}

async function tagsAndNotes(client: pg.ClientBase, [known, members]: readonly [number, number], now: Date) {
  const { rows: tags } = await client.query<{ id: string }>('select id from user_tag order by name');
  const numbers = Array.from({ length: mostTagged }, (_, index) => firstTagged + 5 * index);
  const people = [known, known, ...numbers.filter((number) => number < members)];
  return {
    account_tag: people.map((number, index) => {
      const { id, name, role } = by(index % 3 === 0 ? 'moderator' : 'support', now);
      // Two groups of seven; the first suits the person with the fullest file.
      const tag_id = tags[(7 * (index + 1)) % tags.length]?.id ?? '';
      const added = { added_at: before(now, (6 + 7 * index) * hourMs), added_by: id, added_by_name: name };
      return { account_id: demoId(number), tag_id, ...added, added_by_role: role };
    }),
    staff_note: people.slice(0, noted).map((number, index) => {
      const [author, text] = notes[index % notes.length] ?? ['support', ''];
      const { id, name, role } = by(author, now);
      const written = { author_id: id, author_name: name, author_role: role };
      return { account_id: demoId(number), ...written, text, created_at: before(now, (5 + 7 * index) * hourMs) };
    }),
  };
}

/** Mails of the person with the fullest file, one of them refused, and the confirmation that did not arrive. */
function mails(known: number, now: Date) {
  const queued: [number: number, template: string, daysAgo: number, problem: string | null][] = [
    [unconfirmed, 'verifyEmail', 21, 'recipient'],
    [known, 'passwordChanged', 3, null],
    [known, 'newDevice', 2, 'content'],
  ];
  return queued.map(([number, template, daysAgo, problem]) => ({
    recipient: demoMember(number, now).email,
    account_id: demoId(number),
    template,
    data: '{}',
    status: problem === null ? 'sent' : 'dead',
    attempts: 1,
    last_error: problem,
    created_at: before(now, daysAgo * dayMs),
    sent_at: problem === null ? before(now, daysAgo * dayMs) : null,
  }));
}
