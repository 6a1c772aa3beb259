import { finalize, voidInvoice } from './invoices.ts';
import { collect } from './payments.ts';
import { abandonedAfter, cancel, renew } from './subscriptions.ts';
import { known, presentIn, type Invoice, type Subscription, type World, payingCard } from './world.ts';

interface Due {
  at: number;
  happen: () => void;
}

/** Advances the time to `until`; everything due happens at its own time, in order. */
export function passTime(world: World, until: Date): void {
  const end = Math.floor(until.getTime() / 1000);
  for (let next = nextDue(world); next !== undefined && next.at <= end; next = nextDue(world)) {
    world.clock.set(new Date(Math.max(next.at, presentIn(world)) * 1000));
    next.happen();
  }
  world.clock.set(until);
}

function nextDue(world: World): Due | undefined {
  const dues = [
    ...[...world.subscriptions.values()].flatMap((subscription) => dueOf(world, subscription)),
    ...[...world.invoices.values()].flatMap((invoice) => dueOfInvoice(world, invoice)),
  ];
  return dues.sort((one, other) => one.at - other.at)[0];
}

function dueOf(world: World, subscription: Subscription): Due[] {
  const { endedAt, status, created, periodEnd, endsAt, pending } = subscription;
  if (endedAt !== null) return [];
  if (status === 'incomplete') return [{ at: abandonedAfter(created), happen: () => cancel(world, subscription) }];
  const ends: Due[] = [{ at: periodEnd, happen: () => endPeriod(world, subscription) }];
  if (endsAt !== null) ends.unshift({ at: endsAt, happen: () => cancel(world, subscription) });
  if (pending === null) return ends;
  const invoice = known(world.invoices, pending.invoiceId);
  return [{ at: pending.expires, happen: () => voidInvoice(world, invoice) }, ...ends];
}

function endPeriod(world: World, subscription: Subscription): void {
  const lacksCard = subscription.status === 'trialing' && payingCard(world, subscription) === null;
  if (subscription.cancelsAtEnd || lacksCard) cancel(world, subscription);
  else renew(world, subscription);
}

function dueOfInvoice(world: World, invoice: Invoice): Due[] {
  const { status, finalizesAt, nextAttempt } = invoice;
  const collectNow = () => collect(world, invoice, 'off_session');
  if (status === 'open' && nextAttempt !== null) return [{ at: nextAttempt, happen: collectNow }];
  if (status !== 'draft' || finalizesAt === null) return [];
  const settle = () => {
    finalize(world, invoice);
    collectNow();
  };
  return [{ at: finalizesAt, happen: settle }];
}
