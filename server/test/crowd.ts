import type { QueryInput } from '#contract/endpoint.ts';
import type { listUsers } from '#contract/profiles/staff.ts';
import { makeMember, type MemberOptions, type TestMember } from './factories.ts';
import type { TestApp } from './harness.ts';

export type ListQuery = QueryInput<typeof listUsers>;

interface Person extends TestMember {
  options: MemberOptions;
  lastActive: number;
  createdAt: number;
  name: string;
}

/** Two staff accounts and forty members in all states, with the expected lists. */
export interface Crowd {
  administrator: TestMember;
  moderator: TestMember;
  /** In the order of creation. */
  everyone: Person[];
  /** The ids that a list must return, in order. */
  expected(query: ListQuery): string[];
}

const names = ['ada', 'Ådne', 'Bo', 'cy', 'Дмитрий', '佐藤美咲', 'Zoë', 'ada', 'Émile', "O'Brien_100%"];
/** The root collation, as in the database. */
const collator = new Intl.Collator('und');

const compare = {
  createdAt: (a: Person, b: Person) => a.createdAt - b.createdAt,
  lastActive: (a: Person, b: Person) => (a.lastActive === b.lastActive ? 0 : a.lastActive - b.lastActive),
  name: (a: Person, b: Person) => collator.compare(a.name.toLowerCase(), b.name.toLowerCase()),
};

/** Fills an empty service with a crowd and one member who is leaving. */
export async function makeCrowd(app: TestApp): Promise<Crowd> {
  const everyone: Person[] = [];
  const minutesAgo = (minutes: number) => new Date(app.clock.now().getTime() - minutes * 60_000);
  const add = async (options: MemberOptions): Promise<TestMember> => {
    const member = await makeMember(app, options);
    everyone.push({
      ...member,
      options,
      createdAt: (options.createdAt ?? app.clock.now()).getTime(),
      lastActive: options.lastActiveAt?.getTime() ?? Number.NEGATIVE_INFINITY,
      name: [options.firstName, options.lastName].filter((part) => part !== null).join(' '),
    });
    return member;
  };
  const administrator = await add({
    firstName: 'Zara',
    lastName: 'Staff',
    staffRole: 'admin',
    email: 'chief@heartwood.test',
  });
  const moderator = await add({ firstName: 'Yve', lastName: 'Staff', staffRole: 'moderator' });
  for (let n = 0; n < 40; n++) {
    const inactive = n % 7 === 3;
    await add({
      firstName: names[n % names.length] ?? null,
      lastName: n % 3 === 0 ? null : `Name${n % 5}`,
      email: `person${n}@${n % 2 === 0 ? 'mail' : 'post'}.test`,
      vip: n % 4 === 0,
      verified: n % 5 !== 0,
      createdAt: minutesAgo(n < 4 ? 10 : n),
      lastActiveAt: n % 6 === 0 ? null : minutesAgo(n % 11),
      online: !inactive && n % 9 === 0,
      ...(inactive ? { deactivated: 'spam' } : {}),
    });
  }
  await makeMember(app, { firstName: 'ada', leaving: true, vip: true });
  return { administrator, moderator, everyone, expected: (query) => expectedOf([...everyone], query) };
}

function expectedOf(everyone: Person[], query: ListQuery): string[] {
  const { status = 'all', type = 'all', sortBy = 'createdAt', sortOrder = 'desc' } = query;
  const fits = everyone.filter(({ options }) => {
    const active = options.deactivated === undefined;
    const byStatus = {
      all: true,
      active,
      inactive: !active,
      online: options.online === true,
      verified: options.verified !== false,
    }[status];
    return byStatus && (type === 'all' || (type === 'vip') === (options.vip === true));
  });
  const sign = sortOrder === 'asc' ? 1 : -1;
  return fits.sort((a, b) => sign * (compare[sortBy](a, b) || (a.id < b.id ? -1 : 1))).map(({ id }) => id);
}
