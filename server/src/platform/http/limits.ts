import { msg, plural } from '@lingui/core/runtime-macro';
import type pg from 'pg';
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { requestLimits } from '#contract/constants.ts';
import type { LimitName } from '#contract/endpoint.ts';
import { tooMany } from './app-error.ts';
import { secondsOfDayLeft, systemClock } from '../process/clock.ts';

const daySeconds = 86_400;

/** The named request limits, counted in the database so that all processes share them. */
export interface Limits {
  /** Counts one request of `subject` (a network or an account), or as many as it costs; 429 when the limit is exceeded. */
  spend(name: LimitName, subject: string, requests?: number): Promise<void>;
  /** Throws 429 if the limit is exceeded, without counting a request. */
  check(name: LimitName, subject: string): Promise<void>;
  /**
   * Counts a request while it runs, so that parallel requests can't all pass the same check; 429 if the limit is
   * exceeded.
   */
  reserve(name: LimitName, subject: string): Promise<Reservation>;
}

/** A request that counts towards a limit while it runs. */
interface Reservation {
  /** Makes the count permanent. */
  keep(): void;
  /** Takes back the count unless it was made permanent. */
  end(): Promise<void>;
}

/**
 * Limits over `pool`, with this process's memory as a fallback while the database is unavailable; with `enabled` false
 * nothing is limited.
 */
export function createLimits(pool: pg.Pool, enabled: boolean): Limits {
  const limiters = new Map<LimitName, RateLimiterPostgres | RateLimiterMemory>();
  for (const name of Object.keys(requestLimits) as (keyof typeof requestLimits)[]) {
    if (name === 'overall' || name === 'assets' || name === 'media' || name === 'webhooks') continue;
    const { requests: points, perSeconds: duration } = requestLimits[name];
    const ownMemory = new RateLimiterMemory({ keyPrefix: name, points, duration });
    // Each process counts messages on its own, because storing the count would cost as much as the message.
    const limiter =
      name === 'message'
        ? ownMemory
        : new RateLimiterPostgres({
            storeClient: pool,
            tableName: 'rate_limit',
            tableCreated: true,
            keyPrefix: name,
            points,
            duration,
            clearExpiredByTimeout: false,
            insuranceLimiter: ownMemory,
          });
    limiters.set(name, limiter);
  }
  const isOfDay = (name: LimitName) => requestLimits[name].perSeconds === daySeconds;
  const refuse = (name: LimitName, msBeforeNext: number): never => {
    const hours = Math.ceil(msBeforeNext / 3_600_000);
    throw tooMany(
      isOfDay(name)
        ? msg`That's enough for today. Please try again in ${plural({ hours }, { one: '# hour', other: '# hours' })}.`
        : msg`Too many requests. Please try again later.`,
      msBeforeNext / 1000,
    );
  };
  return {
    async reserve(name, subject) {
      let isKept = false;
      const end = async () => {
        if (enabled && !isKept) await limiters.get(name)?.reward(subject);
      };
      await this.spend(name, subject).catch(async (error: unknown) => {
        // A refused request had no outcome to count.
        await end();
        throw error;
      });
      return { keep: () => void (isKept = true), end };
    },
    async check(name, subject) {
      const state = enabled ? await limiters.get(name)?.get(subject) : null;
      if (state && state.remainingPoints <= 0) refuse(name, state.msBeforeNext);
    },
    async spend(name, subject, requests = 1) {
      if (!enabled) return;
      try {
        // Daily limits end with the day, like all quotas; `consume` checks the day when it starts to count.
        const customDuration = isOfDay(name) ? Math.ceil(secondsOfDayLeft(systemClock.now())) : undefined;
        await limiters.get(name)?.consume(subject, requests, customDuration === undefined ? {} : { customDuration });
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        refuse(name, refusal.msBeforeNext);
      }
    },
  };
}
