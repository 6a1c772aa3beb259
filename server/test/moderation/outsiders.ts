import { randomUUID } from 'node:crypto';
import type { AnswerOf, BodyInput } from '#contract/endpoint.ts';
import {
  fileOutsiderReport,
  getOutsiderChallenge,
  type openOutsiderLink,
} from '#contract/moderation/outsider-reports.ts';
import { solves } from '../../src/features/moderation/outsiders/submit.ts';
import type { TestApp } from '../harness.ts';

type Body = BodyInput<typeof fileOutsiderReport>;
export type OwnOutsiderReportsAnswer = AnswerOf<typeof openOutsiderLink>;

/** A challenge with its solution. */
export async function solvedChallenge(test: TestApp, headers: Record<string, string> = {}): Promise<Body['proof']> {
  const { challenge } = (await test.call(getOutsiderChallenge, { headers })).body.data;
  let counter = 0;
  while (!solves(challenge, counter)) counter += 1;
  return { challenge, counter };
}

/** The body of an outsider report without its proof, about a profile that doesn't exist. */
export const someOutsiderReport = (given: Partial<Body> = {}): Omit<Body, 'proof'> => ({
  type: 'impersonation',
  address: `https://heartwood.test/app/members/${randomUUID()}`,
  text: 'This profile shows my holiday pictures, and I never joined.',
  name: 'Olga Outside',
  email: 'olga@outside.example',
  isGoodFaith: true,
  ...given,
});

/** Sends an outsider report as a visitor. */
export async function sendOutsiderReport(
  test: TestApp,
  given: Partial<Body> = {},
  headers: Record<string, string> = {},
) {
  const proof = given.proof ?? (await solvedChallenge(test, headers));
  return await test.call(fileOutsiderReport, { body: { ...someOutsiderReport(given), proof }, headers });
}

/** Sends an outsider report and runs the job that files it; returns its id. */
export async function placeOutsiderReport(
  test: TestApp,
  given: Partial<Body> = {},
  headers: Record<string, string> = {},
): Promise<string> {
  const email = `outsider-${randomUUID()}@outside.example`;
  await sendOutsiderReport(test, { email, ...given }, headers);
  await test.drain('outsiders.file');
  const { id } = await test.db
    .selectFrom('outsider_notice')
    .select('id')
    .orderBy('at', 'desc')
    .where('email', '=', given.email ?? email)
    .executeTakeFirstOrThrow();
  return id;
}

/** The token of the newest mail to an address, or an empty text. */
export async function mailedOutsiderToken(test: TestApp, email: string): Promise<string> {
  const [mail] = await test.outbox(email);
  return new URL(mail?.links[0] ?? 'https://none.test').hash.slice(1);
}

/** A closed outsider report by a new author, with the token in their mail. */
export async function closedOutsiderReport(test: TestApp): Promise<{ id: string; email: string; token: string }> {
  const email = `outsider-${randomUUID()}@outside.example`;
  const id = await placeOutsiderReport(test, { email });
  const closed = { closed_at: test.clock.now(), closed_by: randomUUID(), closed_by_name: 'Mo Ek' };
  await test.db.updateTable('outsider_notice').set(closed).where('id', '=', id).execute();
  return { id, email, token: await mailedOutsiderToken(test, email) };
}
