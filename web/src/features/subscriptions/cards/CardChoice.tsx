import { IconCreditCard, IconPlus } from '@tabler/icons-react';
import type { PaymentMethodView } from '#contract/subscriptions/subscriptions.ts';
import { formatExpiry } from '../../../ui/text/format-payment.ts';
import { useLocale, useText } from '../../../ui/text/text.ts';
import classes from './CardChoice.module.css';
import { cardName } from './card-name.ts';

export const anotherCard = 'another';

interface CardChoiceProps {
  cards: readonly PaymentMethodView[];
  /** A card's id, or `anotherCard`. */
  chosen: string;
  onChoose: (chosen: string) => void;
}

/** One of the kept cards, or another one. */
export function CardChoice({ cards, chosen, onChoose }: CardChoiceProps) {
  const t = useText();
  const locale = useLocale();
  const choice = (value: string) => ({
    type: 'radio',
    name: 'card',
    value,
    checked: chosen === value,
    onChange: () => onChoose(value),
  });
  return (
    <fieldset className={classes.cards}>
      <legend className={classes.legend}>{t('Pay with')}</legend>
      {cards.map((card) => (
        <label key={card._id} className={classes.card}>
          <input {...choice(card._id)} />
          <IconCreditCard size={22} stroke={1.5} aria-hidden="true" />
          <span>{cardName(card, t)}</span>
          <span className={classes.expiry}>{t('Expires {month}', { month: formatExpiry(card, locale) })}</span>
        </label>
      ))}
      <label className={classes.card}>
        <input {...choice(anotherCard)} />
        <IconPlus size={22} stroke={1.5} aria-hidden="true" />
        <span>{t('Another card')}</span>
      </label>
    </fieldset>
  );
}
