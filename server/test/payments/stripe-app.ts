import { apiBasePath } from '#contract/constants.ts';
import { createSubscription, type StartedPayment } from '#contract/subscriptions/subscriptions.ts';
import type { Plan } from '#contract/subscriptions/plan.ts';
import { startStripeDouble, type StripeDouble } from '../doubles/stripe-double.ts';
import { confirm, enterCard } from '../doubles/stripe/payments.ts';
import { sign } from '../doubles/stripe/events.ts';
import { presentIn } from '../doubles/stripe/world.ts';
import { passTime } from '../doubles/stripe/time.ts';
import type { TestMember } from '../factories.ts';
import { startApp, type TestApp } from '../harness.ts';

/** An event sent to the webhook. */
export interface Message {
  type: string;
  raw: Buffer;
}

/** The service with Stripe's double as its payment provider. */
export interface StripeApp {
  app: TestApp;
  double: StripeDouble;
  /**
   * Delivers the events since the last call, and runs the jobs that follow. `arrange` returns the events that arrive
   * instead, one after another; without it, they arrive by type and in any order.
   */
  deliver(arrange?: (sent: Message[]) => Message[]): Promise<void>;
  /** Starts a subscription; nothing is paid yet. */
  begin(member: TestMember, plan?: Plan): Promise<StartedPayment>;
  /** Submits a card in the payer's browser. */
  pay(started: Pick<StartedPayment, 'clientSecret'>): void;
  /** Buys premium. */
  buy(member: TestMember, plan?: Plan): Promise<StartedPayment>;
  /** Advances both clocks; the events of that time are delivered at its end. */
  moveTo(at: Date): Promise<void>;
  run(task: string): Promise<void>;
  close(): Promise<void>;
}

/** Starts the service with a double; `setUp` prepares the double first and may add to the environment. */
export async function startStripeApp(
  setUp: (double: StripeDouble) => Record<string, string> = () => ({}),
): Promise<StripeApp> {
  const double = await startStripeDouble();
  const app = await startApp({ ...double.environment, ...setUp(double) });
  app.clock.set(double.world.clock.now());
  let delivered = 0;
  const stripeApp: StripeApp = {
    app,
    double,
    async deliver(arrange) {
      const { deliveries } = double.world;
      const sent = deliveries.slice(delivered).map(({ raw }) => {
        return { type: (JSON.parse(raw.toString('utf8')) as { type: string }).type, raw };
      });
      for (const { raw } of arrange?.(sent) ?? sent) {
        const signature = sign(raw, double.world.webhookSecret, presentIn(double.world));
        const { statusCode } = await app.app.inject({
          method: 'POST',
          url: `${apiBasePath}/webhooks/payments`,
          headers: { 'content-type': 'application/json', 'stripe-signature': signature },
          payload: raw,
        });
        if (statusCode !== 200) throw new Error(`a message was answered with ${statusCode}`);
        if (arrange !== undefined) await app.drain();
      }
      delivered = deliveries.length;
      await app.drain();
    },
    async begin(member, plan = 'monthly') {
      return (await app.call(createSubscription, { token: member.token, body: { plan } })).body.data;
    },
    pay({ clientSecret }) {
      const intent = [...double.world.intents.values()].find(({ secret }) => secret === clientSecret);
      if (intent === undefined) throw new Error('no such payment');
      confirm(double.world, intent, enterCard(double.world, 'tok_visa'), 'entered');
    },
    async buy(member, plan) {
      const started = await stripeApp.begin(member, plan);
      stripeApp.pay(started);
      await stripeApp.deliver();
      return started;
    },
    async moveTo(at) {
      passTime(double.world, at);
      app.clock.set(at);
      await stripeApp.deliver();
      await stripeApp.run('subscriptions.keepTime');
    },
    async run(task) {
      await app.app.background.tasks[task]?.({}, undefined as never);
    },
    async close() {
      await app.close();
      await double.close();
    },
  };
  return stripeApp;
}
