import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Link } from 'react-router';
import type { Money, Plan } from '#contract/subscriptions/plan.ts';
import { RichText } from '../../../ui/data/RichText.tsx';
import { Tag } from '../../../ui/data/Tag.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { ChoiceGroup } from '../../../ui/form/ChoiceGroup.tsx';
import { formatMoney } from '../../../ui/text/format-payment.ts';
import { formatDate, formatPercent } from '../../../ui/text/format.ts';
import { t } from '../../../ui/text/text.ts';
import {
  chargeTexts,
  daysText,
  planNames,
  priceTexts,
  savedPercent,
  statusTone,
  statusWord,
  trialTexts,
} from '../plan-words.ts';
import type { OfferedPlan } from '../queries.ts';
import type { ShownSubscription } from '../shown-subscription.ts';
import classes from './buying.module.css';

/** Says that payments are only simulated, if they are. */
export function SandboxBanner({ payments }: { payments: string | null | undefined }) {
  return payments === 'sandbox' && <Notice kind="info">{t('Test payments. No money moves.')}</Notice>;
}

interface StepProps {
  title: string;
  /** It has replaced another step, so its heading takes the focus. */
  isNew: boolean;
  /** The id of its heading, for a link to it. */
  headingId?: string;
  children: ReactNode;
}

/** One step of a purchase, under its own heading. */
export function Step({ title, isNew, headingId, children }: StepProps) {
  const ownId = useId();
  const id = headingId ?? ownId;
  const heading = useRef<HTMLHeadingElement>(null);

  useEffect(() => {
    if (isNew) heading.current?.focus();
  }, [isNew]);

  return (
    <section className={classes.step} aria-labelledby={id}>
      <h2 id={id} ref={heading} tabIndex={-1} className={classes.stepTitle}>
        {title}
      </h2>
      {children}
    </section>
  );
}

/** One part of the plan, with a heading that names it. */
export function PlanPart({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className={classes.part} aria-labelledby={id}>
      <h3 id={id} className={classes.partTitle}>
        {title}
      </h3>
      {children}
    </section>
  );
}

/** A plan's name, price and status, as far as they are known. */
export function PlanTitle({ subscription: { plan, price, status } }: { subscription: ShownSubscription }) {
  return (
    <p className={classes.planTitle}>
      <span className={classes.planName}>{plan === null ? t('Premium') : t(planNames[plan])}</span>
      {plan !== null && price !== null && <span>{t(priceTexts[plan], { price: formatMoney(price) })}</span>}
      <Tag tone={statusTone(status)}>{statusWord(status)}</Tag>
    </p>
  );
}

interface PlanChoiceProps {
  legend: string;
  plans: readonly OfferedPlan[];
  /** The monthly plan, to which the others are compared. */
  monthly: OfferedPlan | undefined;
  chosen: Plan | null;
  onChoose: (plan: Plan) => void;
}

/** A choice of plans: price per period, price per month, and savings. */
export function PlanChoice({ legend, plans, monthly, chosen, onChoose }: PlanChoiceProps) {
  const choices = plans.map((offered) => {
    const { plan, months, price, pricePerMonth } = offered;
    const saved = monthly ? savedPercent(offered, monthly.price) : 0;
    const label = (
      <span className={classes.planChoice}>
        <span className={classes.planName}>{t(planNames[plan])}</span>
        <span className={classes.planPrice}>{t(priceTexts[plan], { price: formatMoney(price) })}</span>
        {months > 1 && (
          <span className={classes.planMonth}>{t('{price} per month', { price: formatMoney(pricePerMonth) })}</span>
        )}
        {saved > 0 && (
          <span>
            <Tag tone="positive">{t('Saves {percent}', { percent: formatPercent(saved) })}</Tag>
          </span>
        )}
      </span>
    );
    return { value: plan, label };
  });
  return (
    <ChoiceGroup
      type="radio"
      name="plan"
      legend={legend}
      choices={choices}
      chosen={chosen === null ? [] : [chosen]}
      isRow="even"
      onChange={([plan]) => plan && onChoose(plan)}
    />
  );
}

const dayMs = 86_400_000;

interface TermsProps {
  plan: Plan;
  price: Money;
  /** Days that are free before the first charge. */
  trialDays: number;
}

/** What is charged now and later, and how to cancel: shown above every button that starts a payment. */
export function Terms({ plan, price, trialDays }: TermsProps) {
  const amount = formatMoney(price);
  const date = formatDate(new Date(Date.now() + trialDays * dayMs).toISOString());
  return (
    <div className={classes.terms}>
      <p className={classes.charge}>
        {trialDays > 0
          ? t(trialTexts[plan], { price: amount, days: t(daysText, { count: trialDays }), date })
          : t(chargeTexts[plan], { price: amount })}
      </p>
      <p className={classes.more}>
        {t('You keep premium until the end of the period you paid for.')}{' '}
        <RichText
          text="See the {terms} for details."
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
