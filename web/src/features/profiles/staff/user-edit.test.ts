import { describe, expect, it } from 'vitest';
import { adminUser, barestUser, listedUser } from '../../../../test/fixtures/staff/users.ts';
import { changeOf, differenceOf, formOf } from './user-edit.ts';

const user = adminUser(listedUser());

describe('changeOf', () => {
  it('returns nothing if nothing was changed', () => {
    expect(changeOf(user, formOf(user))).toEqual({});
    const bare = adminUser(barestUser(), { birthDate: null });
    expect(changeOf(bare, formOf(bare))).toEqual({});
  });

  it('returns only changed fields, trimmed, with null for emptied ones', () => {
    const form = {
      ...formOf(user),
      firstName: ' Augusta ',
      lastName: '',
      gender: 'non-binary',
      staffRole: 'moderator',
    };
    expect(changeOf(user, form)).toEqual({
      firstName: 'Augusta',
      lastName: null,
      gender: 'non-binary',
      staffRole: 'moderator',
    });
  });

  it('returns city and country together, or no place', () => {
    expect(changeOf(user, { ...formOf(user), city: 'Porto' })).toEqual({
      location: { city: 'Porto', country: 'Portugal' },
    });
    expect(changeOf(user, { ...formOf(user), city: '', country: ' ' })).toEqual({ location: null });
  });
});

describe('differenceOf', () => {
  it.each([
    ['I sail old boats.', 'I build old boats.', ['I ', 'sail ', 'old boats.']],
    ['I sail', 'I sail boats', ['I ', 'sail', '']],
    ['Lovelace', 'King', ['', 'Lovelace', '']],
    ['a a', 'a a a', ['a ', '', 'a']],
    ['', 'King', ['', '', '']],
    ['same text', 'same text', ['same text', '', '']],
  ])('compares %j with %j', (text, other, parts) => {
    expect(differenceOf(text, other)).toEqual(parts);
  });
});
