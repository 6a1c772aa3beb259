import { acceptDate, proposeDate, shareDate } from '#contract/dates.ts';
import type { BodyInput } from '#contract/endpoint.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import type { TestMember } from './factories.ts';
import type { TestApp } from './harness.ts';

type Caller = Pick<TestMember, 'token'>;

/** Turns a match into one in which both people have written. */
export async function letBothWrite(app: TestApp, matchId: string): Promise<void> {
  await app.db
    .updateTable('conversation')
    .set({ low_sent: 1, high_sent: 1, is_answered: true })
    .where('id', '=', matchId)
    .execute();
}

/** The body of a suggestion, for a date in two days. */
export const suggestion = (
  app: TestApp,
  more: Partial<BodyInput<typeof proposeDate>> = {},
): BodyInput<typeof proposeDate> => ({
  place: 'Café Luz',
  at: secondsAfter(app.clock.now(), 2 * 86_400).toISOString(),
  zone: 'Europe/Lisbon',
  note: 'I bring the umbrella.',
  checksIn: true,
  ...more,
});

/** Suggests a date; returns its id. */
export async function suggest(app: TestApp, by: Caller, matchId: string, more = {}): Promise<string> {
  const asked = await app.call(proposeDate, {
    token: by.token,
    params: { id: matchId },
    body: suggestion(app, more),
  });
  return asked.body.data.date._id;
}

/** A date that the first person suggested and the other accepted; returns its id. */
export async function agree(app: TestApp, one: Caller, other: Caller, matchId: string, more = {}): Promise<string> {
  const id = await suggest(app, one, matchId, more);
  await app.call(acceptDate, { token: other.token, params: { id }, body: { checksIn: true } });
  return id;
}

/** The token of a member's link to an accepted date. */
export async function sharedToken(app: TestApp, by: Caller, id: string): Promise<string> {
  const { date } = (await app.call(shareDate, { token: by.token, params: { id } })).body.data;
  return new URL(date.link ?? '').hash.slice(1);
}
