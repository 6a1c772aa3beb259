import { listOf } from './objects.ts';
import { textAt, type Form } from './form.ts';
import { missing, StripeFault } from './world.ts';

const usualLimit = 10;
const limitMax = 100;

/** The requested page of `things`, which are given oldest first; the newest come first. */
export function pageOf<T extends { id: string }>(
  things: T[],
  form: Form,
  what: string,
): { page: T[]; hasMore: boolean } {
  const limit = Number(textAt(form, 'limit') ?? usualLimit);
  if (!(limit >= 1 && limit <= limitMax)) throw new StripeFault(400, { message: 'Invalid limit', param: 'limit' });
  const newestFirst = things.toReversed();
  const after = textAt(form, 'starting_after');
  const start = after === undefined ? 0 : newestFirst.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && start === 0) throw missing(what, after, 400);
  return { page: newestFirst.slice(start, start + limit), hasMore: newestFirst.length > start + limit };
}

/** A page in Stripe's format. */
export function pageAnswer<T extends { id: string }>(
  things: T[],
  form: Form,
  { what, url, show }: { what: string; url: string; show: (thing: T) => object },
) {
  const { page, hasMore } = pageOf(things, form, what);
  return listOf(page.map(show), url, hasMore);
}
