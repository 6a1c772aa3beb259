import type { CardView } from '#contract/discovery/discovery.ts';
import { formatNumber } from '../../../ui/text/format.ts';
import { memberName } from '../../../ui/text/person.ts';
import { t } from '../../../ui/text/text.ts';

/** A card as it is drawn; `commonAnswers` is null if unknown. */
export type DrawnCard = Omit<CardView, 'commonAnswers'> & { commonAnswers: number | null };

/** Name and age, as far as they are known. */
export function cardTitle({ user }: DrawnCard): string {
  const name = memberName(user);
  return user.age === null ? name : t('{name}, {age}', { name, age: formatNumber(user.age) });
}

/** City and distance, as far as they are known; '' without either. */
export function cardPlace({ user, distanceFormatted }: DrawnCard): string {
  return [user.location?.city, distanceFormatted && t(distanceFormatted)].filter(Boolean).join(' · ');
}
