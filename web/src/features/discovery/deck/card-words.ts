import type { CardView } from '#contract/discovery/discovery.ts';
import { formatNumber } from '../../../ui/text/format.ts';
import { memberName } from '../../../ui/text/person.ts';
import type { Translate } from '../../../ui/text/text.ts';

/** A card as it is drawn; `commonAnswers` is null if unknown. */
export type DrawnCard = Omit<CardView, 'commonAnswers'> & { commonAnswers: number | null };

/** Name and age, as far as they are known. */
export function cardTitle({ user }: DrawnCard, t: Translate, locale: string): string {
  const name = memberName(user, t);
  return user.age === null ? name : t('{name}, {age}', { name, age: formatNumber(user.age, locale) });
}

/** City and distance, as far as they are known; '' without either. */
export function cardPlace({ user, distanceFormatted }: DrawnCard, t: Translate): string {
  return [user.location?.city, distanceFormatted && t(distanceFormatted)].filter(Boolean).join(' · ');
}
