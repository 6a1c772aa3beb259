import { listSessions, type SessionView } from '#contract/auth.ts';
import { type BlockView, listBlocks } from '#contract/blocks.ts';
import { getSecondFactor } from '#contract/factors.ts';
import { listIdentities, type WaysIn } from '#contract/identities.ts';
import { listPasskeys } from '#contract/passkeys.ts';
import { serve } from './fake-server.ts';
import { serveNotificationSettings } from './notifications.ts';
import { serveMyReports } from './own-reports.ts';
import { servePremium } from './premium.ts';

/** The device the test sits at. */
export const thisDevice: SessionView = {
  _id: 'here',
  createdAt: '2025-10-20T08:00:00.000Z',
  lastUsedAt: '2025-10-20T10:00:00.000Z',
  device: 'Chrome on Linux',
  network: null,
  current: true,
};

/** Somebody blocked; without a name they may no longer be shown. */
export function blocked(id: string, name: string | null): BlockView {
  return { user: { _id: id, name, profilePicture: null }, blockedAt: '2025-09-01T10:00:00.000Z' };
}

/** Somebody who signs in with their password alone. */
export const byPassword: WaysIn = { identities: [], hasPassword: true, freshUntil: null };

/** Answers by what one signs in. */
export function serveWaysIn(ways: () => WaysIn = () => byPassword): void {
  serve(listIdentities, () => ({ data: ways() }));
}

/** Answers that nothing but a password protects the account. */
export function serveNoFactors(hasPassword = true): void {
  const factor = { since: null, recoveryCodesLeft: 0, removalAt: null, hasPassword, isRequired: false };
  serve(getSecondFactor, () => ({ data: factor }));
  serve(listPasskeys, () => ({ data: { passkeys: [] } }));
}

/** Answers what the settings page asks for when it opens. */
export function serveSettings(blocks: readonly BlockView[] = []): void {
  serveMyReports([]);
  serveNotificationSettings();
  servePremium();
  serveWaysIn();
  serveNoFactors();
  serve(listSessions, () => ({ data: { sessions: [thisDevice] } }));
  serve(listBlocks, ({ query: { page = 1, limit = 20 } }) => ({
    data: {
      blocks: blocks.slice((page - 1) * limit, page * limit),
      pagination: { page, limit, total: blocks.length, pages: Math.ceil(blocks.length / limit) },
    },
  }));
}
