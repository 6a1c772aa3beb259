import { Button } from '@mantine/core';
import type { SubscriptionView } from '#contract/subscriptions/subscriptions.ts';
import { Link } from '../../../ui/layout/Link.tsx';
import { useLocale, useText } from '../../../ui/text/text.ts';
import { useNow } from '../../../ui/data/use-now.ts';
import { outlook } from '../plan-words.ts';
import { PlanTitle } from '../buying/PlanTitle.tsx';
import { Step } from '../buying/Step.tsx';
import { isUsable } from '../usable.ts';

interface HeldPlanProps {
  subscription: SubscriptionView;
  /** It was bought a moment ago. */
  isNew: boolean;
}

/** The plan somebody has, with the way to everything that can be done about it. */
export function HeldPlan({ subscription, isNew }: HeldPlanProps) {
  const t = useText();
  const locale = useLocale();
  const now = useNow(60_000);
  const { text, values } = outlook(subscription, locale);
  const title = isUsable(subscription, now) ? t('You have premium') : t('Your premium is on hold');
  return (
    <Step title={isNew ? t('Welcome to premium') : title} isNew={isNew}>
      {isNew && <p role="status">{t('Thank you. Everything premium adds is yours from now on.')}</p>}
      <PlanTitle subscription={subscription} />
      <p>{t(text, values)}</p>
      <div>
        <Button component={Link} to="/app/settings" variant={isNew ? 'default' : 'filled'}>
          {t('Your plan in Settings')}
        </Button>
      </div>
    </Step>
  );
}
