import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, test } from 'vitest';
import { decideApproval, requestApproval } from '#contract/profiles/approvals.ts';
import { exportSelected, exportUsers, listUsers } from '#contract/profiles/staff.ts';
import { exportColumnNames } from '#contract/profiles/user-filters.ts';
import { makeAdministrator, makeMember, makeModerator, type TestMember } from '../../../../test/factories.ts';
import { formulaCells, separators } from '../../../../test/csv-cells.ts';
import { startAppForTests } from '../../../../test/harness.ts';
import type { Deps } from '../../../deps.ts';
import type { Caller } from '#platform/session/caller.ts';
import { usersAsCsv } from './export.reads.ts';

const app = startAppForTests();
let administrator: TestMember;
let colleague: TestMember;

beforeAll(async () => {
  administrator = await makeAdministrator(app, { firstName: 'Chief', lastName: null, email: 'chief@heartwood.test' });
  colleague = await makeAdministrator(app, { firstName: 'Second' });
  await makeCrowd();
});

/** More users than anyone may export alone. */
async function makeCrowd(): Promise<void> {
  for (let first = 1; first <= 4501; first += 500)
    await app.pool.query(
      `
    with made as (
      insert into account (email, created_at, email_verified_at, is_vip)
      select 'crowd' || n || '@crowd.test', timestamptz '2020-01-01' + n / 3 * interval '1 minute', now(), n % 2 = 0
      from generate_series($1::int, least($1::int + 499, 4501)) n returning id, email
    ), entitled as (
      insert into entitlement select id, '2099-01-01' from made where substring(email from '[0-9]+')::int % 2 = 0
    )
    insert into profile (account_id, first_name, city, country) select id, email, 'Rome', 'Italy' from made`,
      [first],
    );
}

/** A strict RFC 4180 parser. */
function parseCsv(text: string): string[][] {
  expect(text.startsWith('\uFEFF')).toBe(true);
  const records: string[][] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
  cell.lastIndex = 1;
  let record: string[] = [];
  for (let match = cell.exec(text); match !== null; match = cell.exec(text)) {
    record.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    if (match[3] === '\r\n') {
      records.push(record);
      record = [];
    }
  }
  return records;
}

const exported = async (query: Parameters<typeof ask>[0] = {}) => parseCsv((await ask(query)).raw);
const ask = (query: Record<string, string>, by = administrator) =>
  app.call(exportUsers, { token: by.token, query: { reason: 'Figures of the year', ...query } });

/** More users than one person may export alone. */
async function exportedInFull(query: Record<string, string> = {}) {
  const body = { kind: 'users.export' as const, columns: exportColumnNames, filters: query, reason: 'Figures' };
  const { approval } = (await app.call(requestApproval, { token: administrator.token, body })).body.data;
  const params = { id: approval._id };
  await app.call(decideApproval, { token: colleague.token, params, body: { verdict: 'approved' } });
  return await exported({ approval: approval._id });
}

describe('GET /admin/users/export', () => {
  test('has a header row in the reader’s language', async () => {
    const { raw } = await app.call(exportUsers, {
      token: administrator.token,
      query: { reason: 'Figures of the year', search: 'chief', columns: 'id,city' },
      headers: { 'accept-language': 'de' },
    });
    expect(parseCsv(raw)[0]).toEqual(['Konto-ID', 'Stadt']);
  });

  test('is a readable spreadsheet with one line per user', async () => {
    const member = await makeMember(app, {
      firstName: 'Ada',
      lastName: 'Lovelace',
      email: 'ada@heartwood.test',
      birthDate: '1990-06-16',
      city: 'São Paulo',
      country: 'Brazil',
      vip: true,
      lastActiveAt: new Date('2026-06-15T10:00:00.000Z'),
    });
    const answer = await ask({ search: 'lovelace' });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(answer.headers['content-disposition']).toBe('attachment; filename="heartwood-users-2026-06-15.csv"');
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(parseCsv(answer.raw)).toEqual([
      [
        'User ID',
        'First name',
        'Last name',
        'Email',
        'Email verified',
        'Joined (UTC)',
        'Last active (UTC)',
        'Status',
        'Subscription',
        'Profile complete',
        'Age',
        'Gender',
        'City',
        'Country',
        'Staff role',
      ],
      [
        member.id,
        'Ada',
        'Lovelace',
        'ada@heartwood.test',
        'Yes',
        '2026-06-15 12:00:00',
        '2026-06-15 10:00:00',
        'Offline',
        'Premium',
        'Yes',
        '35',
        'woman',
        'São Paulo',
        'Brazil',
        '',
      ],
    ]);
  });

  test.each([
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\tx',
    '\rx',
    '\nx',
    '＝1',
    '=cmd|" /C calc"!A0',
    '=HYPERLINK("http://evil.test")',
  ])('neutralises the cell %j', async (firstName) => {
    const member = await makeMember(app, { firstName, lastName: 'Formula, "quoted"\nand broken' });
    const lines = await exported({ search: 'and broken' });
    const line = lines.find(([id]) => id === member.id);
    expect(line?.[1]).toBe(`'${firstName}`);
    expect(line?.[2]).toBe('Formula, "quoted"\nand broken');
  });

  describe('cells with separators before the start of a formula', () => {
    const signs = ['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠'];
    const starts = [
      '',
      ' ',
      '"',
      ...[',', ';', '\t', '\n', '\r\n', '\r'].flatMap((end) => [end, `a${end}`, `a"${end}`, `${end}"`]),
    ];
    const more = ['; ', ';;', '\t;', ';\t', ';\n', ';""', '";"', '";";\u00a0'];
    const texts = signs.flatMap((sign) => [...starts, ...more].map((start) => `${start}${sign}9*9`));
    let raw: string;

    beforeAll(async () => {
      for (const text of texts) await makeMember(app, { firstName: text, lastName: `${text}";${text}`, country: text });
      ({ raw } = await ask({ search: '9*9' }));
    });

    test('are all exported', () => {
      expect(parseCsv(raw)).toHaveLength(texts.length + 1);
    });

    test.each(separators)('never start with a formula for readers who separate by %j', (separator) => {
      expect(formulaCells(raw, separator)).toEqual([]);
    });
  });

  test.each([
    ['Ada; -Byron', "Ada; '-Byron"],
    ['Jean-Paul', 'Jean-Paul'],
    ['Ada, +1', 'Ada, +1'],
    ['a\t=1', "a\t'=1"],
    ['a\nb; c', 'a\nb; c'],
  ])('keep %j readable', async (lastName, cell) => {
    const { id } = await makeMember(app, { firstName: 'Readable', lastName });
    const line = (await exported({ search: 'Readable' })).find(([first]) => first === id);
    expect(line?.[2]).toBe(cell);
  });

  test('contains the whole filtered set in the requested order', async () => {
    const total = (await app.call(listUsers, { token: administrator.token })).body.data.pagination.total;
    const everyone = await exportedInFull();
    expect(everyone).toHaveLength(total + 1);
    expect(new Set(everyone.map(([id]) => id)).size).toBe(total + 1);
    const vips = await exportedInFull({ type: 'vip', search: 'crowd', sortBy: 'name', sortOrder: 'asc' });
    expect(vips).toHaveLength(2251);
    const names = vips.slice(1).map(([, name]) => name ?? '');
    expect(names).toEqual([...names].sort(new Intl.Collator('und').compare));
    expect(await exportedInFull({ sortBy: 'lastActive', type: 'vip' })).toHaveLength(
      (await exportedInFull({ type: 'vip' })).length,
    );
    expect(await exported({ search: 'nobody at all' })).toHaveLength(1);
  });

  test('is audited with its filters before the first line is sent, and with its rows and hash after the last', async () => {
    const { raw } = await ask({ status: 'inactive', columns: 'email,id', search: '' });
    const rows = parseCsv(raw).length - 1;
    const [end, start] = await app.db.selectFrom('audit_event').selectAll().orderBy('id', 'desc').limit(2).execute();
    const event = { actor_id: administrator.id, target_type: 'users', target_id: null, reason: 'Figures of the year' };
    expect(start).toMatchObject({ ...event, action: 'users.exported' });
    expect(start?.changes).toEqual({
      filters: { from: null, to: { status: 'inactive' } },
      columns: { from: null, to: ['email', 'id'] },
      rows: { from: null, to: rows },
    });
    const sha256 = createHash('sha256').update(raw).digest('hex');
    expect(end).toMatchObject({ ...event, action: 'users.downloaded' });
    expect(end?.changes).toEqual({ rows: { from: null, to: rows }, sha256: { from: null, to: sha256 } });
  });

  test('contains the chosen columns in their order, and requires a reason', async () => {
    const { id, email } = await makeMember(app, { firstName: 'Onlyone' });
    expect(await exported({ search: 'Onlyone', columns: 'email,id' })).toEqual([
      ['Email', 'User ID'],
      [email, id],
    ]);
    expect((await ask({ columns: 'password' })).status).toBe(400);
    expect((await ask({ reason: '' })).error.errors).toEqual([{ field: 'reason', msg: 'Please give a reason' }]);
  });

  test('refuses more than 1,000 users without an approval', async () => {
    expect((await ask({})).error).toMatchObject({ code: 'APPROVAL_REQUIRED' });
    expect((await ask({ search: 'nobody at all' })).status).toBe(200);
  });

  test('stops before it sends more users than allowed, and is then unfinished in the audit trail', async () => {
    const reads = { upToDate: () => Promise.resolve({ db: app.db, pool: app.pool }) } as Deps['reads'];
    const caller = { accountId: administrator.id, staffRole: 'admin', showLastActive: true } as Caller;
    let ended = 0;
    const file = (most: number) => {
      const onEnd = () => Promise.resolve(void (ended += 1));
      return usersAsCsv(
        { db: app.db, reads },
        caller,
        { filters: { search: 'crowd12' }, most, onEnd },
        app.clock.now(),
      );
    };
    expect((await (await file(111)).toArray()).length).toBeGreaterThan(1);
    await expect((await file(110)).toArray()).rejects.toThrow('110');
    expect(ended).toBe(1);
  });

  test('counts everything that someone exported within 24 hours, even by id and at the same time', async () => {
    const busy = await makeAdministrator(app, { firstName: 'Busy' });
    const dayBefore = new Date(app.clock.now().getTime() - 86_400_000);
    const earlier = { actor_id: busy.id, actor_name: 'Busy', actor_role: 'admin', target_type: 'users' };
    const changes = JSON.stringify({ rows: { from: null, to: 1000 } });
    await app.db
      .insertInto('audit_event')
      .values({ ...earlier, at: dayBefore, action: 'users.exported', target_id: null, reason: null, changes })
      .execute();
    const list = () => ask({ search: 'crowd12' }, busy);
    const rows = parseCsv((await list()).raw).length - 1;
    expect(rows).toBe(111);
    const atOnce = await Promise.all(Array.from({ length: 10 }, list));
    const refused = atOnce.filter(({ status }) => status !== 200);
    expect(refused.map(({ error }) => error.code)).toEqual(refused.map(() => 'APPROVAL_REQUIRED'));
    expect(refused).toHaveLength(2);
    const body = { ids: [administrator.id], reason: 'Asked by the police' };
    const one = () => app.call(exportSelected, { token: busy.token, body });
    expect((await one()).status).toBe(200);
    expect((await one()).error.code).toBe('APPROVAL_REQUIRED');
    expect((await ask({ search: 'nobody at all' }, busy)).status).toBe(200);
    expect((await ask({ search: 'crowd12' }, colleague)).status).toBe(200);
  });

  test('exports chosen users by id', async () => {
    const chosen = [await makeMember(app), await makeMember(app)].map(({ id }) => id);
    const body = { ids: chosen, columns: ['id' as const], reason: 'Asked by the police' };
    const answer = await app.call(exportSelected, { token: administrator.token, body });
    expect(parseCsv(answer.raw).slice(1).flat().sort()).toEqual(chosen.sort());
    expect((await app.call(exportSelected, { token: (await makeModerator(app)).token, body })).status).toBe(403);
  });

  test('counts a chosen user once, in any spelling of their id', async () => {
    const [by, { id }] = [await makeAdministrator(app), await makeMember(app)];
    const ids = [id, id.toUpperCase(), ...Array.from({ length: 600 }, () => id)];
    const body = { ids, columns: ['id' as const], reason: 'Asked by the police' };
    for (let once = 0; once < 2; once += 1) {
      const answer = await app.call(exportSelected, { token: by.token, body });
      expect(parseCsv(answer.raw).slice(1)).toEqual([[id]]);
    }
  });

  test('stops reading when the client disconnects, and the server keeps working', async () => {
    await app.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.app.server.address() as AddressInfo;
    const { token } = await makeAdministrator(app);
    const request = get({
      port,
      path: '/api/v1/admin/users/export?reason=Figures&type=free&search=crowd1',
      headers: { authorization: `Bearer ${token}` },
    });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(200);
    await once(response, 'readable');
    request.destroy();
    await once(request, 'close');
    expect((await app.call(listUsers, { token: administrator.token })).status).toBe(200);
    await expect.poll(() => app.pool.totalCount - app.pool.idleCount).toBe(0);
  });
});
