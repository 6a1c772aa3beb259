import type { Money, Plan } from '#contract/subscriptions/plan.ts';
import { formatDate } from '../../../ui/text/format.ts';
import { formatMoney } from '../../../ui/text/format-payment.ts';
import { Link } from '../../../ui/layout/Link.tsx';
import { RichText } from '../../../ui/data/RichText.tsx';
import { useLocale, useText } from '../../../ui/text/text.ts';
import { chargeTexts, daysText, trialTexts } from '../plan-words.ts';
import classes from './Terms.module.css';

const dayMs = 86_400_000;

interface TermsProps {
  plan: Plan;
  price: Money;
  /** Days that are free before the first charge. */
  trialDays: number;
}

/** What is charged now and later, and how it ends: above every button that leads there. */
export function Terms({ plan, price, trialDays }: TermsProps) {
  const t = useText();
  const locale = useLocale();
  const amount = formatMoney(price, locale);
  const date = formatDate(new Date(Date.now() + trialDays * dayMs).toISOString(), locale);
  return (
    <div className={classes.terms}>
      <p className={classes.charge}>
        {trialDays > 0
          ? t(trialTexts[plan], { price: amount, days: t(daysText, { count: trialDays }), date })
          : t(chargeTexts[plan], { price: amount })}
      </p>
      <p className={classes.more}>
        {t('You keep what you paid for until its end.')}{' '}
        <RichText
          text="The {terms} tell the rest."
          parts={{
            terms: (
              <Link to="/app/terms" key="terms">
                {t('Terms')}
              </Link>
            ),
          }}
        />
      </p>
    </div>
  );
}
