import { t } from '@lingui/core/macro';
import type { DateView } from '#contract/dates.ts';

/** The state of a planned date in a few words. */
export function stateText({ state, from }: DateView, userId: string, name: string): string {
  if (state === 'accepted') return t`Date with ${name}`;
  return from === userId ? t`${name} suggests a date` : t`You suggested a date to ${name}`;
}
