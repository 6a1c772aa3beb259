import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';
import { plans, planMonths, type Plan } from '#contract/subscriptions/plan.ts';
import { TestClock } from '../clock.ts';
import { answerCall } from './stripe/endpoints.ts';
import { createWorld, presentIn, StripeFault, Unforeseen, type World } from './stripe/world.ts';

/** A received request and its status. */
export interface StripeRequest {
  method: string;
  path: string;
  key: string | undefined;
  status: number;
}

/** A local double of Stripe's API, with its own clock and a test card of each kind. */
export interface StripeDouble {
  url: string;
  world: World;
  priceIds: Record<Plan, string>;
  /** The environment that points `readConfig` to it. */
  environment: Record<string, string>;
  requests: StripeRequest[];
  /** Answers the next matching requests with this status or JSON without doing anything. */
  answerWith(answer: { status?: number; json?: unknown; about?: RegExp; times?: number }): void;
  /** Never answers the next requests. */
  hang(times: number): void;
  /** Carries out the next matching requests, but drops the connection instead of answering. */
  loseAnswers(about: RegExp, times: number): void;
  /** While true, the double drops every connection. */
  isDown: boolean;
  /** Stops the double; rejects if it received a request that it doesn't support. */
  close(): Promise<void>;
}

const secretKey = 'sk_test_the_double';
const webhookSecret = 'whsec_the_double';
const keySeconds = 24 * 3600;
const draftHour = 3600;

const amounts: Record<Plan, number> = { monthly: 1499, quarterly: 3597, annual: 11_988 };
const priceIds: Record<Plan, string> = { monthly: 'price_month', quarterly: 'price_quarter', annual: 'price_year' };

/** The environment of a server that uses the double at `url`. */
export function stripeEnvironment(url: string): Record<string, string> {
  return {
    PAYMENTS_PROVIDER: 'stripe',
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_PUBLISHABLE_KEY: 'pk_test_the_double',
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_PRICE_MONTHLY: priceIds.monthly,
    STRIPE_PRICE_QUARTERLY: priceIds.quarterly,
    STRIPE_PRICE_ANNUAL: priceIds.annual,
    STRIPE_API_BASE: url,
  };
}

/** Starts the double on a free port; its clock stays at `now` until moved. */
export async function startStripeDouble(
  now = new Date('2026-10-31T10:20:30Z'),
  draftSeconds = draftHour,
): Promise<StripeDouble> {
  const world = createWorld(new TestClock(now), draftSeconds, webhookSecret);
  for (const plan of plans) {
    const [interval, intervalCount] =
      plan === 'annual' ? (['year', 1] as const) : (['month', planMonths[plan]] as const);
    const price = { id: priceIds[plan], unitAmount: amounts[plan], currency: 'usd', interval, intervalCount };
    world.prices.set(price.id, { ...price, isActive: true });
  }
  const kept = new Map<string, { asked: string; at: number; status: number; text: string }>();
  const unforeseen: string[] = [];
  let forged = { status: 200, json: {} as unknown, about: /^$/, times: 0 };
  let hanging = 0;
  let losses = { about: /^$/, times: 0 };

  const server = createServer((request, response) => {
    if (double.isDown) response.destroy();
    else answer(request, response).catch(() => response.destroy());
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: target = '', headers } = request;
    const { pathname: path, search } = new URL(target, double.url);
    const body = Buffer.concat(await request.toArray()).toString('utf8');
    if (hanging > 0) {
      hanging -= 1;
      return;
    }
    const key = headers['idempotency-key']?.toString();
    const call = { method, path, text: [search.slice(1), body].filter((part) => part !== '').join('&') };
    const { status, text, isReplayed } = judge(call, headers, key);
    double.requests.push({ method, path, key, status });
    if (losses.times > 0 && losses.about.test(`${method} ${path}`)) {
      losses.times -= 1;
      response.destroy();
      return;
    }
    response
      .writeHead(status, {
        'content-type': 'application/json',
        'request-id': `req_${double.requests.length}`,
        ...(isReplayed && { 'idempotent-replayed': 'true' }),
      })
      .end(text);
  }

  interface Judged {
    status: number;
    text: string;
    isReplayed?: boolean;
  }

  function judge(call: Parameters<typeof perform>[0], headers: IncomingMessage['headers'], key?: string): Judged {
    if (headers.authorization !== `Bearer ${secretKey}`)
      return fault(new StripeFault(401, { message: `Invalid API Key provided: ${headers.authorization}` }));
    const version = headers['stripe-version']?.toString();
    if (version !== Stripe.API_VERSION) unforeseen.push(`version ${version}`);
    if (forged.times > 0 && forged.about.test(`${call.method} ${call.path}`)) {
      forged.times -= 1;
      return { status: forged.status, text: JSON.stringify(forged.json) };
    }
    if (key === undefined) return perform(call);
    const asked = `${call.method} ${call.path} ${call.text}`;
    const before = kept.get(key);
    if (before !== undefined && before.at > presentIn(world) - keySeconds) {
      if (before.asked === asked) return { status: before.status, text: before.text, isReplayed: true };
      return fault(new StripeFault(400, { type: 'idempotency_error', message: 'The key was used for another call.' }));
    }
    const answered = perform(call);
    // A request that is refused early doesn't use up its key.
    if (answered.status === 200 || answered.status === 402) kept.set(key, { asked, at: presentIn(world), ...answered });
    return answered;
  }

  function perform({ method, path, text }: { method: string; path: string; text: string }): Judged {
    try {
      return { status: 200, text: JSON.stringify(answerCall(world, method, path, text)) };
    } catch (error) {
      if (error instanceof StripeFault) return fault(error);
      unforeseen.push(error instanceof Unforeseen ? error.message : String((error as Error).stack));
      return fault(new StripeFault(500, { type: 'api_error', message: 'The double does not support this.' }));
    }
  }

  const fault = ({ status, body }: StripeFault): Judged => ({ status, text: JSON.stringify(body) });

  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const double: StripeDouble = {
    url,
    world,
    priceIds,
    environment: stripeEnvironment(url),
    requests: [],
    answerWith: ({ status = 200, json = {}, about = /./, times = 1 }) => {
      forged = { status, json, about, times };
    },
    hang: (times) => {
      hanging = times;
    },
    loseAnswers: (about, times) => {
      losses = { about, times };
    },
    isDown: false,
    close: async () => {
      await new Promise<void>((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      });
      if (unforeseen.length > 0)
        throw new Error(`Stripe was asked for something the double does not support:\n${unforeseen.join('\n')}`);
    },
  };
  return double;
}
