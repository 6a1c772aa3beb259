import { afterEach, describe, expect, it } from 'vitest';
import { usualSettings } from '#contract/service/settings.ts';
import type { AppError } from '../http/app-error.ts';
import { showBrand } from './brand.ts';
import { ownNameOrNone, refuseTeamNames } from './team-names.ts';

afterEach(() => showBrand(usualSettings.brand));
const refusedFor = (firstName: string, lastName: string | null = null) => {
  try {
    refuseTeamNames({ firstName, lastName });
    return null;
  } catch (error) {
    return (error as AppError).details.errors?.[0]?.field;
  }
};

describe('names reserved for the team', () => {
  it.each([
    'Support',
    'Heartwood Support',
    'Ηeartwood Official',
    'ＡＤＭＩＮ',
    'Мoderator',
    'The-Team',
    'Modérateur',
    'Zespół',
    'Yönetıcı',
    'الإدارة',
    'S u p p o r t',
    'Supp0rt',
    'HeartwoodSupport',
    'Heartwood Verified',
  ])('cannot be used by members: %s', (name) => {
    expect(refusedFor(name)).toBe('firstName');
    expect(refusedFor('Ada', name)).toBe('lastName');
    expect(ownNameOrNone(name)).toBe(null);
  });

  it.each(['Ada', 'Heartwood', 'Anne-Marie', 'Teamer', 'Adminah', 'Ece', 'عبد الله', '李'])(
    'do not include people’s names: %s',
    (name) => {
      expect(refusedFor(name, name)).toBe(null);
      expect(ownNameOrNone(name)).toBe(name);
    },
  );

  it('follow the name of the service', () => {
    showBrand({ ...usualSettings.brand, name: 'Linde & Co' });
    expect(refusedFor('Linde')).toBe(null);
    expect(refusedFor('Linde Co Verified')).toBe('firstName');
    expect(refusedFor('Linde & Co', 'Official')).toBe('lastName');
    showBrand({ ...usualSettings.brand, name: 'Rose' });
    for (const name of ['Rose-Marie', 'Mary Rose', 'Rosemary']) expect(refusedFor(name)).toBe(null);
  });
});
