import type { IncomingMessage } from 'node:http';
import { accessTokenTtlSeconds } from '#contract/constants.ts';
import { lacksSecondFactor, loadCaller } from '../session/caller.ts';
import type { RealtimeDeps } from './realtime.ts';

/** Whose socket it is, and until when it may live. */
export interface Admitted {
  accountId: string;
  sessionId: string;
  isStaff: boolean;
  endsAt: Date;
}

/** Who an access token of a live session names; null for every other. */
export async function admit({ config, tokens, pool, clock }: RealtimeDeps, token: unknown): Promise<Admitted | null> {
  if (typeof token !== 'string' || token.length > 2048) return null;
  const now = clock.now();
  const named = await tokens.read(token, now);
  if (named === null) return null;
  const caller = await loadCaller(pool, named.sessionId, named.accountId, now);
  if (caller === null || lacksSecondFactor(config, caller)) return null;
  const endsAt = new Date(Math.min(named.endsAt.getTime(), now.getTime() + accessTokenTtlSeconds * 1000));
  return { accountId: caller.accountId, sessionId: caller.sessionId, isStaff: caller.staffRole !== null, endsAt };
}

/** Whether a page of this service asks, or no page at all: browsers always say which. */
export function isOwnOrigin({ headers }: Pick<IncomingMessage, 'headers'>, publicUrl: string): boolean {
  const { origin, host } = headers;
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  return origin === new URL(publicUrl).origin || new URL(origin).host === host;
}
