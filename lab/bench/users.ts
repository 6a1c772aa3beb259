import { sortOrders, userSorts, userStatuses, userTypes, type listUsers } from '#contract/profiles/profiles.ts';
import type { AnswerOf } from '#contract/endpoint.ts';
import type { BenchData } from './data.ts';
import { askOk, timesOf, type Times } from './measure.ts';
import { heading, reportTimes } from './report.ts';
import { serve, type Service } from './service.ts';

const pages = 50;
const path = (query: Record<string, string | number>) =>
  `/api/v1/auth/users?${new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)])).toString()}`;

const filters = userStatuses.flatMap((status) => userTypes.map((type) => ({ status, type })));
const orders = userSorts.flatMap((sortBy) => sortOrders.map((sortOrder) => ({ sortBy, sortOrder })));

/** The users screen with a million members: every list, the first fifty pages and on, and the search. */
export async function benchUsers(data: BenchData): Promise<void> {
  const service = await serve(data.large, 'admin@heartwood.test');
  try {
    await benchLists(service);
    await benchSearch(service);
  } finally {
    await service.stop();
  }
}

async function benchLists(service: Service): Promise<void> {
  heading('The users screen: every status × type × order');
  // Warm up connections, plans and compiled code before timing.
  await timesOf(
    service,
    filters.map((filter) => path({ ...filter, limit: 20 })),
    3,
  );
  for (const order of orders) {
    const [numbered, continued, whole]: [Times, Times, Times] = [[], [], []];
    for (const filter of filters) {
      const query = { ...filter, ...order };
      for (let page = 1; page <= pages; page++) {
        numbered.push((await askOk(service, path({ ...query, limit: 20, page }))).milliseconds);
      }
      continued.push(...(await walk(service, query)));
      whole.push((await askOk(service, path({ ...query, limit: 1000 }))).milliseconds);
    }
    const name = `by ${order.sortBy} ${order.sortOrder}`;
    reportTimes(`${name}: pages 1 to ${pages}, 20 each`, sorted(numbered), 30);
    reportTimes(`${name}: scrolling on by cursor, 20 each`, sorted(continued), 30);
    reportTimes(`${name}: 1,000 at once`, sorted(whole), 80);
  }
}

/** Enough for a 99th percentile: the first search for each term reads cold pages. */
const asksEach = 100;

const sorted = (times: Times) => times.sort((a, b) => a - b);

/** Scrolls on from the first page by cursor. */
async function walk(service: Service, query: Record<string, string>): Promise<Times> {
  const times: Times = [];
  let next: string | null = '';
  for (let page = 0; page < pages && next !== null; page++) {
    const answer = await askOk(service, path({ ...query, limit: 20, ...(next === '' ? {} : { cursor: next }) }));
    times.push(answer.milliseconds);
    next = (JSON.parse(answer.body) as AnswerOf<typeof listUsers>).data.pagination.nextCursor ?? null;
  }
  return times;
}

/** Terms with few to many results: names and parts of names in several scripts, addresses, whole and in part, their hosts. */
const terms = [
  'zzzz',
  'quetzalcoatl',
  'ada@heartwood.test',
  'heartwood',
  'anna',
  'maria',
  'ann',
  'son',
  'an ',
  'smith',
  'garcía',
  'müller',
  'Мария',
  'иван',
  'Αθηνά',
  '佐藤',
  'さくら',
  '김민준',
  'محمد',
  'प्रिया',
  'mail.test',
  'webmail.test',
  '@pochta.test',
  '.test',
  'nightbus',
  'maria.',
  '1234',
  "o'",
];

async function benchSearch(service: Service): Promise<void> {
  heading('The search among all users');
  const long = terms.filter((term) => [...term.trim()].length >= 3);
  await timesOf(service, [path({ search: 'anna' }), path({ search: 'zzzz' })], 3);
  for (const term of long) {
    reportTimes(`${JSON.stringify(term)}`, await timesOf(service, [path({ search: term, limit: 20 })], asksEach), 50);
  }
  const filtered = filters.flatMap((filter) => long.map((search) => path({ ...filter, search, limit: 20 })));
  reportTimes('all of them with every status × type', await timesOf(service, filtered), 50);
  const ordered = orders.flatMap((order) => long.map((search) => path({ ...order, search, limit: 20 })));
  reportTimes('all of them in every order', await timesOf(service, ordered), 50);
}
