import type { PaymentMethodView } from '#contract/subscriptions/subscriptions.ts';
import type { Translate } from '../../../ui/text/text.ts';
import { brandName } from '../plan-words.ts';

/** A card as its owner knows it. */
export function cardName({ brand, last4 }: Pick<PaymentMethodView, 'brand' | 'last4'>, t: Translate): string {
  return t('{brand} ending in {digits}', { brand: brandName(brand), digits: last4 });
}
