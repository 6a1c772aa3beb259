import type { SubscriptionView } from '#contract/subscriptions/subscriptions.ts';
import { formatMoney } from '../../../ui/text/format-payment.ts';
import { Tag } from '../../../ui/data/Tag.tsx';
import { useLocale, useText } from '../../../ui/text/text.ts';
import { planNames, priceTexts, statusTones, statusWords } from '../plan-words.ts';
import classes from './PlanTitle.module.css';

/** A plan by its name, its price and how it stands. */
export function PlanTitle({ subscription: { plan, price, status } }: { subscription: SubscriptionView }) {
  const t = useText();
  const locale = useLocale();
  return (
    <p className={classes.title}>
      <span className={classes.name}>{t(planNames[plan])}</span>
      <span>{t(priceTexts[plan], { price: formatMoney(price, locale) })}</span>
      <Tag tone={statusTones[status]}>{t(statusWords[status])}</Tag>
    </p>
  );
}
