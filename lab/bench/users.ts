import type { QueryInput } from '#contract/endpoint.ts';
import { findUsers } from '#contract/profiles/find.ts';
import { listUsers } from '#contract/profiles/staff.ts';
import { call } from '../../server/test/proofs/http.ts';
import { rowsOf } from '../product.ts';
import { asSuperuser, type BenchData } from './data.ts';
import { heading, reportTimes, rounds } from './report.ts';
import { administratorToken, serve, type Service } from './service.ts';

const most = { filterMs: 100, searchMs: 80 };
const day = 86_400_000;

type Filters = QueryInput<typeof listUsers>;

const before = (days: number) => new Date(Date.now() - days * day).toISOString().slice(0, 10);

/** The filters of the list of users, each with values that differ from call to call. */
async function filtersIn({ db }: Service): Promise<Record<string, (at: number) => Filters>> {
  const one = async (text: string) => (await rowsOf<{ value: string }>(db, text)).map(({ value }) => value);
  const places = (column: string) =>
    one(`select ${column} as value from (select ${column} from profile where ${column} is not null limit 5000) p
      group by 1 order by count(*) desc limit 30`);
  const [cities, countries] = [await places('city'), await places('country')];
  const tags = await one('select id as value from user_tag limit 10');
  const from = (list: string[], at: number) => list[at % list.length] ?? '';
  return {
    'joined within a day': (at) => ({ joinedFrom: before(at), joinedTo: before(at) }),
    'joined within a year': (at) => ({ joinedFrom: before(365 + at), joinedTo: before(at) }),
    'last active within a day': (at) => ({ activeFrom: before(at % 30), activeTo: before(at % 30) }),
    'not active for months': (at) => ({ activeTo: before(90 + at) }),
    country: (at) => ({ country: from(countries, at) }),
    city: (at) => ({ city: from(cities, at) }),
    gender: (at) => ({ gender: at % 2 === 0 ? 'woman' : 'man' }),
    'one year of age': (at) => ({ minAge: String(18 + (at % 60)), maxAge: String(18 + (at % 60)) }),
    'at least some age': (at) => ({ minAge: String(18 + (at % 70)) }),
    complete: (at) => ({ complete: at % 2 === 0 ? 'true' : 'false' }),
    paused: (at) => ({ paused: at % 2 === 0 ? 'true' : 'false' }),
    leaving: () => ({ leaving: 'true' }),
    plan: (at) => ({ plan: at % 2 === 0 ? 'monthly' : 'annual' }),
    'end of the plan': (at) => ({ planEndsFrom: before(-at), planEndsTo: before(-at - 7) }),
    'open case': (at) => ({ openCase: at % 2 === 0 ? 'true' : 'false' }),
    sanctioned: (at) => ({ sanctioned: at % 2 === 0 ? 'true' : 'false' }),
    role: () => ({ role: 'any' }),
    ...(tags.length > 0 && { tag: (at: number) => ({ tag: from(tags, at) }) }),
    'gender, age and country': (at) => ({ gender: 'woman', minAge: '30', maxAge: '35', country: from(countries, at) }),
    'city, paused and sorted by name': (at) => ({ city: from(cities, at), paused: 'true', sortBy: 'name' }),
    'incomplete, man and inactive': (at) => ({ complete: 'false', gender: 'man', activeTo: before(at) }),
    'VIP, old and of one country': (at) => ({ type: 'vip', minAge: '60', country: from(countries, at) }),
    'sorted by activity, one age': (at) => ({
      sortBy: 'lastActive',
      minAge: String(18 + (at % 60)),
      maxAge: String(18 + (at % 60)),
    }),
  };
}

/** Measures the list of users and looking people up as staff wait for them: one call after another, p99 in milliseconds. */
export async function benchUsers({ url, superuserUrl }: BenchData): Promise<void> {
  heading('The list of users: p99 of 100 calls, one after another');
  const service = await serve(url);
  // The first sweep marks everyone offline, and autovacuum follows within minutes on a service that stays up.
  await asSuperuser(superuserUrl, (client) => client.query('vacuum (analyze) presence'));
  const { origin, db } = service;
  try {
    const token = await administratorToken(service);
    const listed = (query: Filters) => call(origin, listUsers, { token, query: { limit: '20', ...query } });
    for (const [name, query] of Object.entries(await filtersIn(service)))
      await reportTimes(name, most.filterMs, (at) => listed(query(at)));
    const people = await rowsOf<{ id: string; email: string; name: string }>(
      db,
      `select a.id, a.email, d.name_sort as name from account a join directory d on d.account_id = a.id
       where d.name_sort <> '' order by a.id limit ${rounds}`,
    );
    const of = (at: number) => people[at % people.length] ?? { id: '', email: '', name: '' };
    const find = (terms: string[]) => call(origin, findUsers, { token, body: { terms } });
    await reportTimes('search by name', most.searchMs, (at) => listed({ search: of(at).name }));
    await reportTimes('search by part of a name', most.searchMs, (at) => listed({ search: of(at).name.slice(0, 4) }));
    await reportTimes('look-up of an address', most.searchMs, (at) => find([of(at).email]));
    await reportTimes('look-up of an id', most.searchMs, (at) => find([of(at).id.slice(0, 8)]));
    await reportTimes('look-up of 100 addresses', most.searchMs, () => find(people.map((one) => one.email)));
  } finally {
    await service.stop();
  }
}
