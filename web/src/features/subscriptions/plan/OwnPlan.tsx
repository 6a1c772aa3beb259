import { t } from '@lingui/core/macro';
import { Button, Stack } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ComponentProps, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import type { Plan } from '#contract/subscriptions/plan.ts';
import { useNow } from '../../../ui/data/Time.tsx';
import { ErrorNotice, Notice } from '../../../ui/feedback/Notice.tsx';
import { QueryStates, Skeleton } from '../../../ui/feedback/PageStates.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { Buttons } from '../../../ui/layout/Rows.tsx';
import { formatDate } from '../../../ui/text/format.ts';
import { PlanTitle, SandboxBanner } from '../buying/PlanParts.tsx';
import { cardName, outlook, planNames } from '../plan-words.ts';
import {
  makeDefault,
  type Offer,
  paymentMethodsQuery,
  readCurrent,
  readInvoices,
  refreshingOf,
  useCancelSubscription,
  useCurrentSubscription,
  useOffer,
  useReactivateSubscription,
  useUpdateSubscription,
  useWithdrawSubscription,
} from '../queries.ts';
import type { ShownSubscription } from '../shown-subscription.ts';
import { Cards } from './Cards.tsx';
import { ChangePlan } from './ChangePlan.tsx';
import { InvoiceList } from './InvoiceList.tsx';
import { PausePlan, ResumePlan } from './PausePlan.tsx';
import { Withdrawal } from './Withdrawal.tsx';

interface PlanStatusProps {
  subscription: ShownSubscription;
  offer: Offer;
  onAddCard: () => void;
  onChange: () => void;
}

/** The state of the member's plan and the next steps: change it, cancel it, undo that, or pay after a failed charge. */
function PlanStatus({ subscription, offer, onAddCard, onChange }: PlanStatusProps) {
  const [asked, setAsked] = useState<'change' | 'pause' | 'resume' | 'end' | null>(null);
  const [message, setMessage] = useState<string | null>(null);
  const place = useRef<HTMLDivElement>(null);
  const { status, cancelAtPeriodEnd, currentPeriodEnd, pausedUntil = null } = subscription;
  const next = outlook(subscription);
  const willRenew = (status === 'active' || status === 'trialing') && !cancelAtPeriodEnd;
  const isPausing = pausedUntil !== null;
  const isOwed = status === 'past_due' || status === 'unpaid';

  function ask(next: typeof asked) {
    setMessage(null);
    setAsked(next);
  }

  function close() {
    setAsked(null);
    place.current?.focus();
  }

  function done(words: string) {
    close();
    setMessage(words);
    void readCurrent();
    onChange();
  }

  return (
    <Stack ref={place} tabIndex={-1}>
      {message !== null && <Notice kind="success">{message}</Notice>}
      <PlanTitle subscription={subscription} />
      {next !== null && <p>{next}</p>}
      {isOwed && <FailedPayment subscription={subscription} onAddCard={onAddCard} onDone={done} />}
      {subscription.pendingPlan !== null && (willRenew || isPausing) && asked === null && (
        <PendingChange subscription={subscription} pendingPlan={subscription.pendingPlan} onDone={done} />
      )}
      {asked === 'change' && <ChangePlan subscription={subscription} offer={offer} onDone={done} onKeep={close} />}
      {asked === 'pause' && <PausePlan subscription={subscription} onDone={done} onKeep={close} />}
      {asked === 'resume' && <ResumePlan subscription={subscription} offer={offer} onDone={done} onKeep={close} />}
      {asked === 'end' && (
        <CancelPlan
          subscription={subscription}
          onKeep={close}
          onDone={() =>
            done(
              willRenew && currentPeriodEnd != null
                ? t`Premium is canceled. You keep it until ${{ date: formatDate(currentPeriodEnd) }}.`
                : t`Premium is canceled. You won't be charged again.`,
            )
          }
        />
      )}
      {asked === null && (
        <Buttons ofForm>
          {cancelAtPeriodEnd && status !== 'canceled' && (
            <ReactivatePlan onDone={() => done(t`Premium continues as before.`)} />
          )}
          {isPausing && (
            <Button variant="default" onClick={() => ask('resume')}>
              {t`Resume premium`}
            </Button>
          )}
          {willRenew && status === 'active' && !isPausing && offer.payments !== null && (
            <>
              <Button variant="default" onClick={() => ask('change')}>
                {t`Change plan`}
              </Button>
              {currentPeriodEnd != null && (
                <Button variant="default" onClick={() => ask('pause')}>
                  {t`Pause premium`}
                </Button>
              )}
            </>
          )}
          {(willRenew || isOwed || isPausing) && !cancelAtPeriodEnd && (
            <Button variant="default" onClick={() => ask('end')}>
              {t`Cancel premium`}
            </Button>
          )}
        </Buttons>
      )}
    </Stack>
  );
}

/** The member's right to withdraw from the contract. */
function OwnWithdrawal(props: Omit<ComponentProps<typeof Withdrawal>, 'send'>) {
  const command = useWithdrawSubscription();
  return <Withdrawal {...props} send={async () => (await command.mutateAsync()).refund} />;
}

function NoPlan({ canBuy }: { canBuy: boolean }) {
  return (
    <>
      <p>{t`You have no plan. {brand} is free, and so is messaging a match.`}</p>
      {canBuy && (
        <div>
          <Button component={Link} to="/app/premium" variant="default">
            {t`What premium adds`}
          </Button>
        </div>
      )}
    </>
  );
}

interface OwnPlanProps {
  name: string;
  email: string;
  /** Called after each change. */
  onChange: () => void;
}

interface PlanSectionsProps extends OwnPlanProps {
  offer: Offer;
  subscription: ShownSubscription | null;
}

function PlanSections({ offer, subscription, name, email, onChange }: PlanSectionsProps) {
  const [isAdding, setAdding] = useState(false);
  const [withdrawn, setWithdrawn] = useState<string | null>(null);
  const place = useRef<HTMLDivElement>(null);
  const { payments, publishableKey } = offer;
  const hasPlan = subscription !== null;
  return (
    <Stack ref={place} tabIndex={-1}>
      <SandboxBanner payments={payments} />
      {withdrawn !== null && <Notice kind="success">{withdrawn}</Notice>}
      {subscription === null ? (
        <NoPlan canBuy={payments !== null} />
      ) : (
        <>
          <PlanStatus subscription={subscription} offer={offer} onAddCard={() => setAdding(true)} onChange={onChange} />
          <OwnWithdrawal
            name={name}
            email={email}
            subscription={subscription}
            onDone={(words) => {
              setWithdrawn(words);
              place.current?.focus();
              void readCurrent();
              onChange();
            }}
          />
        </>
      )}
      {payments !== null && (
        <Cards
          provider={payments}
          publishableKey={publishableKey}
          hasPlan={hasPlan}
          isAdding={isAdding}
          onAdding={setAdding}
          onChange={onChange}
        />
      )}
      <InvoiceList hasPlan={hasPlan} />
    </Stack>
  );
}

/** The member's plan, cards and invoices, with all actions. */
export function OwnPlan(props: OwnPlanProps) {
  const offer = useOffer();
  const current = useCurrentSubscription();
  const skeleton = <Skeleton height="10rem" />;
  return (
    <Stack>
      <QueryStates
        query={offer}
        loadingText={t`Loading your plan...`}
        skeleton={skeleton}
        errorText={(error) => t`Couldn't load your plan: ${error}`}
      >
        {(loaded) => (
          <QueryStates
            query={current}
            loadingText={t`Loading your plan...`}
            skeleton={skeleton}
            errorText={(error) => t`Couldn't load your plan: ${error}`}
            refreshing={refreshingOf(current)}
          >
            {(subscription) => <PlanSections {...props} offer={loaded} subscription={subscription} />}
          </QueryStates>
        )}
      </QueryStates>
    </Stack>
  );
}

interface CancelPlanProps {
  subscription: ShownSubscription;
  onKeep: () => void;
  onDone: () => void;
}

/** The second of the two steps that cancel premium, which explains what will happen. */
function CancelPlan({ subscription: { status, currentPeriodEnd }, onKeep, onDone }: CancelPlanProps) {
  const command = useCancelSubscription();
  const text = useRef<HTMLParagraphElement>(null);
  const isPaid = status === 'active' || status === 'trialing';
  const end =
    currentPeriodEnd === undefined
      ? t`You keep premium until the end of the period you paid for.`
      : t`Premium ends on ${{ date: formatDate(currentPeriodEnd) }}. You keep it until then, and nothing more is charged.`;

  useEffect(() => text.current?.focus(), []);

  return (
    <Stack py="1rem" px="1.1rem" bd="1px solid var(--hw-line)" bdrs="md" bg="var(--hw-sunken)">
      <p ref={text} tabIndex={-1}>
        {isPaid && currentPeriodEnd !== null ? end : t`Your plan ends now, and nothing more is charged.`}
      </p>
      {command.error && <Notice kind="error">{command.error.message}</Notice>}
      <Buttons>
        <BusyButton
          isBusy={command.isPending}
          busyText={t({ message: 'Canceling...', context: 'plan' })}
          onClick={() => void command.mutateAsync().then(onDone, () => undefined)}
        >
          {t`Yes, cancel premium`}
        </BusyButton>
        <Button variant="default" onClick={onKeep}>
          {t`Keep premium`}
        </Button>
      </Buttons>
    </Stack>
  );
}

/** A button that undoes a cancellation before it takes effect. */
function ReactivatePlan({ onDone }: { onDone: () => void }) {
  const command = useReactivateSubscription();

  return (
    <>
      {command.error && <Notice kind="error">{command.error.message}</Notice>}
      <BusyButton
        isBusy={command.isPending}
        busyText={t`One moment...`}
        onClick={() => void command.mutateAsync().then(onDone, () => undefined)}
      >
        {t`Resume premium`}
      </BusyButton>
    </>
  );
}

interface PendingChangeProps {
  subscription: ShownSubscription;
  pendingPlan: Plan;
  onDone: (words: string) => void;
}

/** A change of plan that will take effect at the end of the period, with a button that undoes it. */
function PendingChange({ subscription, pendingPlan, onDone }: PendingChangeProps) {
  const { plan, currentPeriodEnd, pausedUntil = null } = subscription;
  const command = useUpdateSubscription();

  const stayWith = (current: Plan) =>
    void command.mutateAsync({ plan: current }).then(
      () => onDone(t`You keep the ${{ plan: t(planNames[current]) }} plan.`),
      () => undefined,
    );

  return (
    <>
      <Notice
        kind="info"
        action={
          pausedUntil === null &&
          plan !== null && (
            <BusyButton
              variant="default"
              size="xs"
              isBusy={command.isPending}
              busyText={t`One moment...`}
              onClick={() => stayWith(plan)}
            >
              {t`Keep the ${{ plan: t(planNames[plan]) }} plan`}
            </BusyButton>
          )
        }
      >
        {t`Changes to the ${{ plan: t(planNames[pendingPlan]) }} plan on ${{ date: formatDate(pausedUntil ?? currentPeriodEnd) }}.`}
      </Notice>
      {command.error && <Notice kind="error">{command.error.message}</Notice>}
    </>
  );
}

interface FailedPaymentProps {
  subscription: ShownSubscription;
  onAddCard: () => void;
  onDone: (words: string) => void;
}

/** A failed renewal: how long premium will last, and the two ways to pay now. */
function FailedPayment({ subscription: { currentPeriodEnd }, onAddCard, onDone }: FailedPaymentProps) {
  const now = useNow(60_000);
  const card = useQuery(paymentMethodsQuery).data?.find(({ isDefault }) => isDefault);
  const command = useMutation({
    mutationFn: async (id: string) => {
      await makeDefault(id);
      const [current] = await Promise.all([readCurrent(), readInvoices()]);
      return current;
    },
    onSuccess: (current) => {
      if (current?.status === 'active') onDone(t`Thank you, your payment went through.`);
    },
  });
  const isAhead = Date.parse(currentPeriodEnd ?? '') > now;

  return (
    <>
      <Notice kind="warning">
        {isAhead
          ? t`You keep premium until ${{ date: formatDate(currentPeriodEnd) }}. Pay before then to keep it without a break.`
          : t`Premium is off until you pay.`}
      </Notice>
      <ErrorNotice error={command.error} />
      {command.isSuccess && <Notice kind="info">{t`Your payment is being processed. Check again in a moment.`}</Notice>}
      <Buttons>
        {card && (
          <BusyButton isBusy={command.isPending} busyText={t`Paying...`} onClick={() => command.mutate(card._id)}>
            {t`Pay now with ${{ card: cardName(card) }}`}
          </BusyButton>
        )}
        <Button variant="default" onClick={onAddCard}>
          {t`Pay with another card`}
        </Button>
      </Buttons>
    </>
  );
}
