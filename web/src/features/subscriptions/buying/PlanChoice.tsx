import type { Plan } from '#contract/subscriptions/plan.ts';
import { formatPercent } from '../../../ui/text/format.ts';
import { formatMoney } from '../../../ui/text/format-payment.ts';
import { Tag } from '../../../ui/data/Tag.tsx';
import { useLocale, useText } from '../../../ui/text/text.ts';
import classes from './PlanChoice.module.css';
import { planNames, priceTexts, savedPercent } from '../plan-words.ts';
import type { OfferedPlan } from './use-offer.ts';

interface PlanChoiceProps {
  legend: string;
  plans: readonly OfferedPlan[];
  /** The plan by the month, which the others are compared with. */
  monthly: OfferedPlan | undefined;
  chosen: Plan | null;
  onChoose: (plan: Plan) => void;
}

/** One of the plans: what a period costs, what that is a month, and what it saves. */
export function PlanChoice({ legend, plans, monthly, chosen, onChoose }: PlanChoiceProps) {
  const t = useText();
  const locale = useLocale();
  return (
    <fieldset className={classes.plans}>
      <legend className={classes.legend}>{legend}</legend>
      <div className={classes.cards}>
        {plans.map((offered) => {
          const { plan, months, price, pricePerMonth } = offered;
          const saved = monthly ? savedPercent(offered, monthly.price) : 0;
          return (
            <label key={plan} className={classes.card}>
              <input type="radio" name="plan" value={plan} checked={chosen === plan} onChange={() => onChoose(plan)} />
              <span className={classes.name}>{t(planNames[plan])}</span>
              <span className={classes.price}>{t(priceTexts[plan], { price: formatMoney(price, locale) })}</span>
              {months > 1 && (
                <span className={classes.month}>
                  {t('{price} per month', { price: formatMoney(pricePerMonth, locale) })}
                </span>
              )}
              {saved > 0 && (
                <span className={classes.saved}>
                  <Tag tone="positive">{t('Saves {percent}', { percent: formatPercent(saved, locale) })}</Tag>
                </span>
              )}
            </label>
          );
        })}
      </div>
    </fieldset>
  );
}
