import { createHash } from 'node:crypto';
import type { AnswerInput } from '#contract/endpoint.ts';
import type { getBanner } from '#contract/service/banner.ts';
import type { ServiceSettings } from '#contract/service/settings.ts';
import type { Caller } from '#platform/session/caller.ts';

/** The banner that the caller sees now or later; null if there is none, it is for others, or it has ended. */
export function bannerFor(
  { staffRole }: Pick<Caller, 'staffRole'>,
  { banner }: Pick<ServiceSettings, 'banner'>,
  now: Date,
): AnswerInput<typeof getBanner>['data']['banner'] {
  if (banner === null) return null;
  const { kind, audience, startsAt, endsAt, text } = banner;
  const isForCaller = audience === 'both' || (audience === 'staff') === (staffRole !== null);
  const leftUntil = (time: string) => Math.max(0, Date.parse(time) - now.getTime());
  const endsInMs = leftUntil(endsAt);
  if (!isForCaller || endsInMs === 0) return null;
  const id = createHash('sha256').update(JSON.stringify(banner)).digest('base64url');
  return { id, kind, text, startsInMs: leftUntil(startsAt), endsInMs };
}
