import { vi } from 'vitest';
import { noDetails } from '#contract/profile-details.ts';
import type { Statistics } from '#contract/statistics.ts';
import type { AdminUser, ListedUser } from '#contract/user.ts';
import { ownUser } from './people.ts';

/** A user as an administrator's list has them. */
export function listedUser(changes: Partial<ListedUser> = {}): ListedUser {
  const { birthDate: _birthDate, seeking: _seeking, pictures: _pictures, ...user } = ownUser();
  const isActive = changes.isActive ?? user.isActive;
  return { ...user, can: { edit: true, activate: !isActive, deactivate: isActive }, ...changes };
}

/** The same user alone, with everything staff may see. */
export function adminUser(listed: ListedUser, changes: Partial<AdminUser> = {}): AdminUser {
  return {
    ...listed,
    ...noDetails,
    birthDate: '1994-03-02',
    seeking: ['man'],
    deactivationReason: null,
    deactivatedAt: null,
    leavingSince: null,
    sessionCount: 1,
    pictures: [],
    ...changes,
    can: { changeRole: true, ...listed.can, ...changes.can },
  };
}

/** Somebody about whom as little as possible is known. */
export function barestUser(changes: Partial<ListedUser> = {}): ListedUser {
  return listedUser({
    firstName: null,
    lastName: null,
    name: null,
    gender: null,
    age: null,
    bio: null,
    location: null,
    lastActive: null,
    isOnline: false,
    isEmailVerified: false,
    profileComplete: false,
    ...changes,
  });
}

/** The service's figures. */
export function statistics(changes: Partial<Statistics> = {}): Statistics {
  return {
    totals: {
      users: 1234,
      vip: 185,
      active: 1100,
      online: 42,
      newThisMonth: 57,
      profileComplete: 900,
      emailVerified: 1001,
    },
    vipRate: 15,
    engagementRate: 89,
    growthPercent: 12,
    growth: ['2025-05', '2025-06', '2025-07', '2025-08', '2025-09', '2025-10'].map((month, index) => ({
      month,
      users: 40 + index,
      vip: 4 + index,
    })),
    genders: [
      { gender: 'woman', count: 600 },
      { gender: 'man', count: 580 },
      { gender: 'non-binary', count: 30 },
      { gender: null, count: 24 },
    ],
    ages: ['18-25', '26-35', '36-45', '46-55', '56+'].map((bucket, index) => ({ bucket, count: 100 * (index + 1) })),
    recentUsers: [listedUser(), barestUser({ _id: 'somebody', isActive: false, isVIP: true })],
    asOf: '2025-10-20T12:00:00.000Z',
    ...changes,
  };
}

/** Gives every element a size, so that lists which draw only what is in view draw some. */
export function giveRoom(): void {
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(900);
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(1200);
}

/** Makes the window narrower than 640 px, as far as media queries tell. */
export function beNarrow(): void {
  const original = window.matchMedia;
  vi.stubGlobal('matchMedia', (query: string) => ({ ...original(query), matches: query.includes('max-width') }));
}

/** Makes the window 1024 px wide or more, as far as media queries tell. */
export function beWide(): void {
  const original = window.matchMedia;
  vi.stubGlobal('matchMedia', (query: string) => ({ ...original(query), matches: query.includes('min-width') }));
}
