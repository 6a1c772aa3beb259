import { chargeEndpoints } from './endpoints-money.ts';
import { customerEndpoints } from './endpoints-customers.ts';
import { subscriptionEndpoints } from './endpoints-subscriptions.ts';
import { namesIn, readForm, wantsIn, type Form, type Wants } from './form.ts';
import { Unforeseen, type World } from './world.ts';

/** The parameters of a request and the ids in its path. */
export interface Call {
  ids: string[];
  form: Form;
  wants: Wants;
}

/** A supported request, listed by method and path, such as `GET /v1/customers/:id`. */
export interface Endpoint {
  /** Every supported parameter except `expand`. */
  takes?: string[];
  answer: (world: World, call: Call) => object;
}

const endpoints = Object.entries({ ...customerEndpoints, ...subscriptionEndpoints, ...chargeEndpoints });

const patternOf = (path: string) => new RegExp(`^${path.replace(/:id/g, '([^/]+)')}$`);

/** The answer to a request; throws `StripeFault` for a refusal and `Unforeseen` for an unsupported request. */
export function answerCall(world: World, method: string, path: string, text: string): object {
  for (const [call, { takes = [], answer }] of endpoints) {
    const [verb, pattern = ''] = call.split(' ');
    const match = verb === method ? patternOf(pattern).exec(path) : null;
    if (match === null) continue;
    const unknown = namesIn(text).filter((name) => name !== 'expand[]' && !takes.includes(name));
    if (unknown.length > 0) throw new Unforeseen(`${call} with ${unknown.join(', ')}`);
    const form = readForm(text);
    return answer(world, { ids: match.slice(1).map(decodeURIComponent), form, wants: wantsIn(form) });
  }
  throw new Unforeseen(`${method} ${path}`);
}
