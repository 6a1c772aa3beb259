import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { outsiderTypeNames } from '#contract/moderation/outsider-types.ts';
import { makeMember, type TestMember } from '../factories.ts';
import { newNetwork, type TestApp } from '../harness.ts';
import { sendOutsiderReport, solvedChallenge } from './outsiders.ts';
import { type Random, randomOf } from '../random.ts';

const addressesOf = (random: Random, people: readonly TestMember[]) =>
  random.pick([
    () => `https://heartwood.test/app/members/${random.pick(people).id}`,
    () => `https://heartwood.test/app/members/${randomUUID()}`,
    () => `https://heartwood.test/api/v1/media/${randomUUID().slice(0, 22)}.large`,
    () => "https://evil.test/?q=' or 1=1 --",
    () => undefined,
  ])();

/** The result of a flood of outsider reports. */
export interface Aftermath {
  /** The distinct answers, by status. */
  answers: Record<string, string[]>;
  /** The most mails to one address, and the templates of all of them. */
  mostMails: number;
  templates: string[];
  /** The most open reports about one person, and the total of reports that wait for staff. */
  mostReports: number;
  reports: number;
  /** Accounts that are held, and how often the people on call are paged. */
  holds: number;
  pages: number;
}

/**
 * Sends `count` outsider reports from many networks: about members and about no one, with strangers' addresses, repeated and random texts.
 * The app needs TRUSTED_PROXIES=loopback. Without limits, one solved challenge is enough for all.
 */
export async function floodWithOutsiderReports(
  test: TestApp,
  { count, seed, hasLimits }: { count: number; seed: number; hasLimits: boolean },
): Promise<Aftermath> {
  const proof = hasLimits ? undefined : await solvedChallenge(test);
  const random = randomOf(seed);
  const people = [await makeMember(test), await makeMember(test), await makeMember(test)];
  const strangers = Array.from({ length: Math.ceil(count / 4) }, (_, n) => `stranger-${seed}-${n}@stranger.example`);
  const answers = new Map<string, Set<string>>();
  let headers = newNetwork();
  for (let n = 0; n < count; n += 1) {
    if (n % 20 === 0) headers = newNetwork();
    const { status, raw } = await sendOutsiderReport(
      test,
      {
        type: random.pick(outsiderTypeNames),
        address: addressesOf(random, people),
        person: 'Someone',
        text: random.chance(0.5) ? 'The same text in many notices.' : `A text of its own, ${random.next()}.`,
        email: random.pick(strangers),
        ...(proof && { proof }),
      },
      headers,
    );
    const known = answers.get(String(status)) ?? new Set();
    answers.set(String(status), known.add(raw.replace(/"requestId":"[^"]+"/, '')));
  }
  await test.drain('outsiders.file');
  await test.app.background.tasks['outsiders.tell']?.({}, {} as never);
  const mails = await sql<{ count: number; template: string }>`
    select count(*)::int as count, min(template) as template from mail where recipient like ${`stranger-${seed}-%`}
    group by recipient`.execute(test.db);
  const reports = await sql<{ count: number }>`
    select count(*)::int as count from report where source = 'outsider' and status = 'pending' group by case_id`.execute(
    test.db,
  );
  const others = await sql<{ holds: number; pages: number }>`select (select count(*)::int from account_hold) as holds,
    (select count(*)::int from graphile_worker.jobs where task_identifier = 'emergencies.page') as pages`.execute(
    test.db,
  );
  return {
    answers: Object.fromEntries([...answers].map(([status, bodies]) => [status, [...bodies]])),
    mostMails: Math.max(...mails.rows.map((row) => row.count)),
    templates: [...new Set(mails.rows.map((row) => row.template))],
    mostReports: Math.max(...reports.rows.map((row) => row.count)),
    reports: reports.rows.reduce((sum, row) => sum + row.count, 0),
    ...(others.rows[0] ?? { holds: NaN, pages: NaN }),
  };
}
