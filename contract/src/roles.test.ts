import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  may,
  mayGive,
  outranks,
  type Permission,
  permissions,
  premiumGrantDays,
  reportScopes,
  revealsPerHour,
  roleNames,
} from './roles.ts';
import { type StaffRole, staffRoles } from './staff-roles.ts';

const names = Object.keys(permissions) as Permission[];
const held = (role: StaffRole) => names.filter((permission) => may(role, permission));

describe('the permission matrix', () => {
  it('gives members no permissions, and every staff role access to the dashboard', () => {
    expect(names.filter((permission) => may(null, permission))).toEqual([]);
    for (const role of staffRoles) expect(may(role, 'dashboard.view'), role).toBe(true);
  });

  it('gives administrators and owners every permission', () => {
    for (const role of ['admin', 'owner'] as const) expect(held(role)).toEqual(names);
  });

  it('gives moderators the moderation permissions and the right to reveal personal data', () => {
    expect(held('moderator')).toEqual([
      'dashboard.view',
      'safety.view',
      'users.list',
      'users.reveal',
      'users.visibility',
      'users.note',
      'pictures.review',
      'reports.list',
      'reports.handle',
      'cases.list',
      'cases.handle',
      'evidence.view',
    ]);
  });

  it('gives auditors and analysts read access only', () => {
    const reading = /\.(view|list)$/;
    for (const role of ['auditor', 'analyst'] as const)
      expect(held(role).filter((permission) => !reading.test(permission))).toEqual([]);
  });

  it('sets a reveal quota for exactly the roles that may reveal personal data', () => {
    for (const role of staffRoles) expect(revealsPerHour[role] > 0, role).toBe(may(role, 'users.reveal'));
  });

  it('limits the days of premium exactly for the roles that may give premium', () => {
    for (const role of staffRoles) expect(premiumGrantDays[role] > 0, role).toBe(may(role, 'premium.grant'));
  });

  it('limits report scopes only for roles that list reports and don’t list cases', () => {
    for (const role of Object.keys(reportScopes) as StaffRole[]) {
      expect(may(role, 'reports.list')).toBe(true);
      expect(may(role, 'cases.list')).toBe(false);
    }
  });
});

describe('mayGive', () => {
  it("allows only roles below the caller's own rank", () => {
    const givable = (own: StaffRole) => staffRoles.filter((role) => mayGive(own, role));
    expect(givable('owner')).toEqual(staffRoles.filter((role) => role !== 'owner'));
    expect(givable('admin')).toEqual(staffRoles.filter((role) => role !== 'owner' && role !== 'admin'));
    for (const role of staffRoles.filter((each) => !may(each, 'roles.assign'))) expect(givable(role)).toEqual([]);
  });

  it('never allows a role with a permission that the caller lacks, or any change between equals', () => {
    for (const own of staffRoles)
      for (const role of staffRoles.filter((each) => mayGive(own, each))) {
        expect(held(role).filter((permission) => !may(own, permission))).toEqual([]);
        expect(outranks(own, role)).toBe(true);
      }
  });
});

describe('docs/roles.csv', () => {
  const rows = readFileSync(join(import.meta.dirname, '../../docs/roles.csv'), 'utf8')
    .split('\n')
    .map((line) =>
      [...line.matchAll(/(?:^|,)(?:"([^"]*)"|([^,]*))/g)].map(([, quoted, plain]) => quoted ?? plain ?? ''),
    );

  const nameOf = (role: StaffRole) => roleNames[role].message ?? '';

  /** The roles in a cell such as "all but Analyst" or "Support (10), Owner (50)", with the text in brackets. */
  function rolesOf(who: string): Map<string, string> {
    const everyone = staffRoles.map((role): [string, string] => [nameOf(role), '']);
    if (who === 'all') return new Map(everyone);
    const named = who
      .replace(/^all but /, '')
      .split(', ')
      .map((word): [string, string] => {
        const [, name = '', note = ''] = /^([\w ]+?)(?: \((.+)\))?$/.exec(word) ?? [];
        return [name, note];
      });
    expect(everyone.map(([name]) => name)).toEqual(expect.arrayContaining(named.map(([name]) => name)));
    if (!who.startsWith('all but ')) return new Map(named);
    return new Map(everyone.filter(([name]) => named.every(([other]) => other !== name)));
  }
  const whoMay = (permission: Permission) => rolesOf(rows.find(([first]) => first === permission)?.[2] ?? '');

  it.each(names)('lists the roles that have %s', (permission) => {
    const told = whoMay(permission);
    expect(staffRoles.filter((role) => told.has(nameOf(role)))).toEqual(
      staffRoles.filter((role) => may(role, permission)),
    );
  });

  it('lists the reveal quotas and the report scopes', () => {
    const reveal = whoMay('users.reveal');
    expect(staffRoles.map((role) => Number(reveal.get(nameOf(role)) ?? 0))).toEqual(
      staffRoles.map((role) => revealsPerHour[role]),
    );
    const grant = whoMay('premium.grant');
    expect(staffRoles.map((role) => Number(grant.get(nameOf(role)) ?? 0))).toEqual(
      staffRoles.map((role) => premiumGrantDays[role]),
    );
    const words = { all: '', nonSafety: 'not safety', payment: 'payments' };
    for (const [role, note] of whoMay('reports.list')) {
      const own = staffRoles.find((each) => nameOf(each) === role);
      expect(note, role).toBe(words[(own && reportScopes[own]) ?? 'all']);
    }
  });
});
