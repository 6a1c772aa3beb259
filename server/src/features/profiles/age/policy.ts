import type { AgeRule, AgeState } from '#contract/age-check.ts';

/** What the country of a member requires. */
export const ruleFor = (required: Readonly<Record<string, AgeRule>>, country: string | null): AgeRule =>
  (country === null ? undefined : required[country]) ?? required['*'] ?? 'never';

/**
 * Whether a member can't do this until their age is confirmed. Members who joined before their country required it, or moved there, are
 * asked at the first message.
 */
export function isAgeNeeded(
  { state, isAsked, rule }: { state: AgeState; isAsked: boolean; rule: AgeRule },
  moment: 'joining' | 'first-message',
): boolean {
  if (state === 'assured') return false;
  if (moment === 'joining') return rule === 'joining';
  return isAsked || state === 'failed' || rule !== 'never';
}

/** Whether a check can be started; after a failed one, only once the team has asked for another or ended its consequences. */
export const canStartCheck = (state: AgeState): boolean => state !== 'assured' && state !== 'failed';
