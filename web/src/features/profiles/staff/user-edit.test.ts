import { describe, expect, it } from 'vitest';
import { adminUser, barestUser, listedUser } from '../../../../test/fixtures/staff/users.ts';
import { changeOf, formOf } from './user-edit.ts';

const user = adminUser(listedUser());

describe('what an edit sends', () => {
  it('is nothing when nothing differs', () => {
    expect(changeOf(user, formOf(user))).toEqual({});
    const bare = adminUser(barestUser(), { birthDate: null });
    expect(changeOf(bare, formOf(bare))).toEqual({});
  });

  it('is only what differs, trimmed; what is emptied is cleared', () => {
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

  it('is city and country together, or no place at all', () => {
    expect(changeOf(user, { ...formOf(user), city: 'Porto' })).toEqual({
      location: { city: 'Porto', country: 'Portugal' },
    });
    expect(changeOf(user, { ...formOf(user), city: '', country: ' ' })).toEqual({ location: null });
  });
});
