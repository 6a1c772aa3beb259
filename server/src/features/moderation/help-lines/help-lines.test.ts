import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import * as calls from '#contract/moderation/help-lines.ts';
import { countryName } from '#contract/profiles/countries.ts';
import { readSources } from '../../../../../scripts/import-graph.ts';
import { makeMember, type TestMember } from '../../../../test/factories.ts';
import { startAppForTests } from '../../../../test/harness.ts';

const app = startAppForTests();
let owner: TestMember;
beforeAll(async () => {
  owner = await makeMember(app, { staffRole: 'owner' });
});

const body = {
  country: 'PT',
  name: 'A help line',
  phone: '116 006',
  url: null,
  note: 'At any hour.',
  isEmergency: false,
};
const listed = async () => (await app.call(calls.listHelpLines, {})).body.data.lines;
const add = (more: object = {}) => app.call(calls.addHelpLine, { token: owner.token, body: { ...body, ...more } });

describe('help lines', () => {
  it('exist in a new installation, for people without an account, and can be saved unchanged', async () => {
    const lines = await listed();
    expect(lines.length).toBeGreaterThan(20);
    expect(lines.filter(({ country }) => country !== calls.everywhere && countryName(country) === undefined)).toEqual(
      [],
    );
    expect(lines.filter((line) => !calls.addHelpLine.body.safeParse(line).success)).toEqual([]);
  });

  it('have exactly the texts that the web app translates', async () => {
    const { rows } = await sql<{ text: string }>`select note as text from help_line union select name from help_line
      where is_emergency order by 1`.execute(app.db);
    const [source] = readSources(['web/src/features/moderation/help-lines']).filter(({ path }) =>
      path.endsWith('shipped-lines.ts'),
    );
    const keys = [...(source?.text ?? '').matchAll(/'(.+)': msg`(.+)`/g)];
    expect(keys.map(([, key]) => key).sort()).toEqual(rows.map(({ text }) => text).sort());
    for (const [, key, text] of keys) expect(text).toBe(key);
  });

  it('are added, changed and removed by the owner, and each change is audited', async () => {
    const { line } = (await add()).body.data;
    const changed = { ...body, phone: '112' };
    await app.call(calls.changeHelpLine, { token: owner.token, params: { id: line._id }, body: changed });
    expect(await listed()).toContainEqual({ _id: line._id, ...changed });
    await app.call(calls.removeHelpLine, { token: owner.token, params: { id: line._id } });
    expect((await listed()).map(({ _id }) => _id)).not.toContain(line._id);
    const events = await app.db.selectFrom('audit_event').select('action').where('target_id', '=', line._id).execute();
    expect(events.map(({ action }) => action)).toEqual(['helpLine.added', 'helpLine.changed', 'helpLine.removed']);
  });

  it.each([
    { phone: null },
    { phone: 'call me' },
    { url: 'http://insecure.test' },
    { url: 'javascript:alert(1)' },
    { url: 'https://someone@else.test' },
    { country: 'QQ' },
    { name: '' },
  ])('are rejected with %o', async (more) => {
    expect((await add(more)).status).toBe(400);
  });
});
