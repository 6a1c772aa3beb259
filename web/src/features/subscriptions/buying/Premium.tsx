import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Box, Button, Group, Stack, Text } from '@mantine/core';
import { IconCards, IconCheck, IconHeart, IconMinus, IconWorldSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { Link } from 'react-router';
import table from '../../../ui/data/CardTable.module.css';
import { Disclosure } from '../../../ui/data/Disclosure.tsx';
import { useNow } from '../../../ui/data/Time.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { QueryStates, Skeleton } from '../../../ui/feedback/PageStates.tsx';
import { Panel } from '../../../ui/layout/Page.tsx';
import { RingsArt } from '../../../ui/layout/RingsArt.tsx';
import { Buttons } from '../../../ui/layout/Rows.tsx';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { lazyPart } from '../../../ui/loading/LazyBoundary.tsx';
import { formatDate } from '../../../ui/text/format.ts';
import { isUsable, outlook } from '../plan-words.ts';
import { type Offer, premiumGiftQuery, refreshingOf, useCurrentSubscription, useOffer } from '../queries.ts';
import type { ShownSubscription } from '../shown-subscription.ts';
import classes from './buying.module.css';
import { ChooseStep, usePurchase } from './Purchase.tsx';
import { PlanTitle, SandboxBanner, Step } from './PlanParts.tsx';

/** Fetched after the plans. */
const [PayStep, preloadPayStep] = lazyPart(
  async () => (await import('./PayStep.tsx')).PayStep,
  <Skeleton height="24rem" />,
);

/** What members get without and with premium; true means that it is included. */
const compared: readonly {
  what: MessageDescriptor;
  free: MessageDescriptor | boolean;
  premium: MessageDescriptor | boolean;
}[] = [
  { what: msg`Message your matches`, free: true, premium: true },
  { what: msg`Likes`, free: msg`30 a day`, premium: msg`Unlimited` },
  { what: msg`Undo a decision`, free: msg`The last one`, premium: msg`Any from the last day` },
  { what: msg`See who liked you`, free: false, premium: true },
  { what: msg`Incognito: only people you like can see you`, free: false, premium: true },
  { what: msg`Browse in another city as if you lived there`, free: false, premium: true },
  {
    what: msg`Filters`,
    free: msg`Age, gender, distance, interests`,
    premium: msg`Also height, children, smoking, drinking, exercise, languages, and what people are looking for`,
  },
];

const promised = [
  msg`Messaging a match is free for both of you, always.`,
  msg`No one can buy their way to the front: premium improves a position by a quarter at most.`,
  msg`No one can pay to see what others keep private: hidden times, exact places and private answers stay hidden.`,
];

interface ComparedCellProps {
  label: string;
  value: MessageDescriptor | boolean;
  isPremium?: boolean;
}

function ComparedCell({ label, value, isPremium = false }: ComparedCellProps) {
  const Icon = value === true ? IconCheck : IconMinus;
  return (
    <Box component="td" data-label={label} fw={isPremium ? 600 : 400}>
      {typeof value === 'object' ? (
        t(value)
      ) : (
        <Icon
          size={20}
          stroke={2}
          color={isPremium ? 'var(--hw-accent)' : 'var(--hw-ink-soft)'}
          role="img"
          aria-label={value ? t`Included` : t`Not included`}
        />
      )}
    </Box>
  );
}

const benefits = [
  { Icon: IconHeart, title: msg`See who likes you`, text: msg`And like them back at once.` },
  { Icon: IconCards, title: msg`Like without limit`, text: msg`And take back any decision of the last day.` },
  { Icon: IconWorldSearch, title: msg`Look further`, text: msg`More filters, another city, and incognito.` },
];

/** The three main benefits, each with a picture. */
function Benefits() {
  return (
    <ul className={classes.benefits}>
      {benefits.map(({ Icon, title, text }) => (
        <li key={title.id}>
          <span className={classes.art}>
            <RingsArt className={classes.artRings} />
            <Icon size={30} stroke={1.6} aria-hidden="true" />
          </span>
          <div>
            <Text component="p" ff="heading" fz="1.2rem" fw={600}>
              {t(title)}
            </Text>
            <Hint>{t(text)}</Hint>
          </div>
        </li>
      ))}
    </ul>
  );
}

/** Compares membership with and without premium. */
function Comparison() {
  return (
    <Disclosure title={t`What premium adds`}>
      <div className={table.place}>
        <table className={table.table} aria-label={t`What premium adds`}>
          <thead>
            <tr>
              <td />
              <Box component="th" scope="col" w="31%">
                {t`Free`}
              </Box>
              <Box component="th" scope="col" w="31%">
                {t`Premium`}
              </Box>
            </tr>
          </thead>
          <tbody>
            {compared.map(({ what, free, premium }) => (
              <tr key={what.id}>
                <th scope="row">{t(what)}</th>
                <ComparedCell label={t`Free`} value={free} />
                <ComparedCell label={t`Premium`} value={premium} isPremium />
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Disclosure>
  );
}

/** Explains what premium never does. */
function Promises() {
  return (
    <Panel title={t`What stays the same for everyone`}>
      <Stack component="ul" gap="0.65rem">
        {promised.map((text) => (
          <Group component="li" key={text.id} gap="0.65rem" wrap="nowrap" align="flex-start">
            <IconHeart
              size={18}
              stroke={1.75}
              style={{ marginTop: '0.2rem', color: 'var(--hw-accent)' }}
              aria-hidden="true"
            />
            {t(text)}
          </Group>
        ))}
      </Stack>
    </Panel>
  );
}

interface HeldPlanProps {
  subscription: ShownSubscription;
  /** The plan has just been bought. */
  isNew: boolean;
}

/** The member's plan, with a link to the page where it is managed. */
function HeldPlan({ subscription, isNew }: HeldPlanProps) {
  const now = useNow(60_000);
  const next = outlook(subscription);
  const held = subscription.status === 'paused' ? t`Your premium is paused` : t`Your premium is on hold`;
  const title = isUsable(subscription, now) ? t`You have premium` : held;
  return (
    <Step title={isNew ? t`Welcome to premium` : title} isNew={isNew}>
      {isNew && <p role="status">{t`Thank you! Everything premium adds is now yours.`}</p>}
      <PlanTitle subscription={subscription} />
      {next !== null && <p>{next}</p>}
      <Buttons>
        {isNew && (
          <Button component={Link} to="/app/likes">
            {t`See who likes you`}
          </Button>
        )}
        <Button component={Link} to="/app/settings/plan" variant={isNew ? 'default' : 'filled'}>
          {t`Your plan in Settings`}
        </Button>
      </Buttons>
    </Step>
  );
}

/** Premium that the team gave the member: when it begins and ends, and that it is free. */
function Gift() {
  const { data: gift } = useQuery(premiumGiftQuery);
  if (gift == null) return null;
  return (
    <Notice kind="success" isNews={false}>
      {gift.from === undefined
        ? t`Premium until ${{ date: formatDate(gift.until) }}, a gift from the team. It ends by itself and nothing is charged.`
        : t`A gift from the team: more premium from ${{ from: formatDate(gift.from) }} to ${{ until: formatDate(gift.until) }}, after what you pay for. It waits if your plan renews, and nothing is charged for it.`}
    </Notice>
  );
}

interface PremiumProps {
  /** The likes that premium would reveal. */
  likes: ReactNode;
  /** The likes are still loading, and would move what is below them. */
  isHeld: boolean;
  /** The member has premium, bought or given. */
  hasPremium: boolean;
  /** Called when the server has confirmed a payment. */
  onPremium: () => void;
}

function Shop({ offer, likes, onPremium }: { offer: Offer } & Pick<PremiumProps, 'likes' | 'onPremium'>) {
  const purchase = usePurchase(offer.plans, onPremium);
  const [wasPaying, setWasPaying] = useState(false);
  const current = useCurrentSubscription();
  const { started } = purchase;
  const { payments, publishableKey, trialDays } = offer;
  if (started !== null && !wasPaying) setWasPaying(true);
  useEffect(preloadPayStep, []);

  if (payments !== null && started !== null && !purchase.isDone) {
    return <PayStep {...{ provider: payments, publishableKey, started, trialDays, purchase }} />;
  }
  const more = (
    <>
      <Comparison />
      <Promises />
    </>
  );
  return (
    <QueryStates
      query={current}
      loadingText={t`Loading your plan...`}
      skeleton="36rem"
      errorText={(error) => t`Couldn't load your plan: ${error}`}
      refreshing={refreshingOf(current)}
    >
      {(subscription) =>
        subscription !== null ? (
          <>
            <HeldPlan subscription={subscription} isNew={purchase.isDone} />
            {more}
          </>
        ) : (
          <>
            {likes}
            <Benefits />
            {payments === null ? (
              <>
                <Notice kind="info">{t`Premium isn't available here at the moment.`}</Notice>
                {more}
              </>
            ) : (
              <ChooseStep offer={offer} purchase={purchase} isBack={wasPaying}>
                {more}
              </ChooseStep>
            )}
          </>
        )
      }
    </QueryStates>
  );
}

/** Explains premium and sells it: choosing a plan, paying, and the plan after it has been paid. */
export function Premium({ hasPremium, likes, isHeld, onPremium }: PremiumProps) {
  const offer = useOffer();
  return (
    <Stack gap="1.25rem">
      {hasPremium && <Gift />}
      <QueryStates
        query={offer}
        isHeld={isHeld}
        loadingText={t`Loading the plans...`}
        skeleton="36rem"
        errorText={(error) => t`Couldn't load the plans: ${error}`}
      >
        {(loaded) => (
          <>
            <SandboxBanner payments={loaded.payments} />
            <Shop offer={loaded} likes={likes} onPremium={onPremium} />
          </>
        )}
      </QueryStates>
    </Stack>
  );
}
