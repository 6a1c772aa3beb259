import { plural, t } from '@lingui/core/macro';
import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Link } from 'react-router';
import type { Money, Plan } from '#contract/subscriptions/plan.ts';
import { RichText } from '../../../ui/data/RichText.tsx';
import { Tag } from '../../../ui/data/Tag.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { CheckField } from '../../../ui/form/Field.tsx';
import { ChoiceGroup } from '../../../ui/form/Form.tsx';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { formatMoney } from '../../../ui/text/format-payment.ts';
import { formatDate, formatPercent } from '../../../ui/text/format.ts';
import { fill } from '../../../ui/text/i18n.ts';
import { chargeTexts, planNames, priceTexts, savedPercent, statusTone, statusWord, trialTexts } from '../plan-words.ts';
import { type OfferedPlan, useMayWithdraw } from '../queries.ts';
import type { ShownSubscription } from '../shown-subscription.ts';

/** Explains that payments are only simulated, if that is the case. */
export function SandboxBanner({ payments }: { payments: string | null | undefined }) {
  return payments === 'sandbox' && <Notice kind="info">{t`Test payments. No money moves.`}</Notice>;
}

interface StepProps {
  title: string;
  /** The step has replaced another one, so its heading takes the focus. */
  isNew: boolean;
  children: ReactNode;
}

/** One step of a purchase with its own heading. */
export function Step({ title, isNew, children }: StepProps) {
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);

  useEffect(() => {
    if (isNew) heading.current?.focus();
  }, [isNew]);

  return (
    <Paper component="section" p="min(1.4rem, 4.5vw)" aria-labelledby={id}>
      <Stack gap="1.25rem">
        <Title id={id} ref={heading} tabIndex={-1} order={2} fz="title">
          {title}
        </Title>
        {children}
      </Stack>
    </Paper>
  );
}

/** A plan's name, price and status, if they are known. */
export function PlanTitle({ subscription: { plan, price, status } }: { subscription: ShownSubscription }) {
  return (
    <Group component="p" gap="0.2rem 0.75rem">
      <Text component="span" ff="heading" fz="1.2rem" fw={600}>
        {plan === null ? t`Premium` : t(planNames[plan])}
      </Text>
      {plan !== null && price !== null && <span>{fill(priceTexts[plan], { price: formatMoney(price) })}</span>}
      <Tag tone={statusTone(status)}>{statusWord(status)}</Tag>
    </Group>
  );
}

interface PlanChoiceProps {
  legend: string;
  /** The heading above says the same. */
  hidesLegend?: boolean;
  plans: readonly OfferedPlan[];
  /** The monthly plan, with which the others are compared. */
  monthly: OfferedPlan | undefined;
  chosen: Plan | null;
  onChoose: (plan: Plan) => void;
}

/** A choice of plans with the price per period, the price per month, and the savings. */
export function PlanChoice({ legend, hidesLegend = false, plans, monthly, chosen, onChoose }: PlanChoiceProps) {
  const choices = plans.map((offered) => {
    const { plan, months, price, pricePerMonth } = offered;
    const saved = monthly ? savedPercent(offered, monthly.price) : 0;
    const label = (
      <Stack component="span" gap="0.1rem" py="0.3rem">
        <Text component="span" fw={600}>
          {t(planNames[plan])}
        </Text>
        <Text component="span" ff="heading" fz="1.45rem" fw={600} lh={1.2}>
          {formatMoney(pricePerMonth)} <Hint component="span">{t`per month`}</Hint>
        </Text>
        {months > 1 && <Hint component="span">{fill(priceTexts[plan], { price: formatMoney(price) })}</Hint>}
        {saved > 0 && (
          <span>
            <Tag tone="positive">{t`Saves ${{ percent: formatPercent(saved) }}`}</Tag>
          </span>
        )}
      </Stack>
    );
    return { value: plan, label };
  });
  return (
    <ChoiceGroup
      type="radio"
      name="plan"
      legend={legend}
      hidesLegend={hidesLegend}
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
  /** The number of free days before the first charge. */
  trialDays: number;
}

/** Explains what is charged now and later, and how to cancel; shown above every button that starts a payment. */
export function Terms({ plan, price, trialDays }: TermsProps) {
  const mayWithdraw = useMayWithdraw();
  const amount = formatMoney(price);
  const date = formatDate(new Date(Date.now() + trialDays * dayMs).toISOString());
  return (
    <Stack gap="0.3rem">
      <Text fw={600}>
        {trialDays > 0
          ? fill(trialTexts[plan], { price: amount, days: plural(trialDays, { one: '# day', other: '# days' }), date })
          : fill(chargeTexts[plan], { price: amount })}
      </Text>
      <Hint>
        {t`You keep premium until the end of the period you paid for.`}{' '}
        {mayWithdraw && `${t`For 14 days you can withdraw from this contract in Settings, and premium ends at once.`} `}
        <RichText
          text={({ terms }) => t`See the ${terms} for details.`}
          parts={{
            terms: (
              <Link to="/app/terms" key="terms">
                {t`Terms`}
              </Link>
            ),
          }}
        />
      </Hint>
    </Stack>
  );
}

/** Asks for a start at once, which makes days used before a withdrawal cost something. Never ticked in advance. */
export function StartNow({ isChosen, onChange }: { isChosen: boolean; onChange: (isChosen: boolean) => void }) {
  if (!useMayWithdraw()) return null;
  return (
    <CheckField
      label={t`Start now. I know that I pay for the days used if I withdraw.`}
      description={t`Optional. Without it, a withdrawal within 14 days costs you nothing.`}
      checked={isChosen}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}
