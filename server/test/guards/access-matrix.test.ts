import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { EndpointSpec } from '#contract/endpoint.ts';
import { getAdminUser, listUsers } from '#contract/profiles/staff.ts';
import { isPermission, may } from '#contract/roles.ts';
import type { StaffRole } from '#contract/staff-roles.ts';
import { makeAdministrator, makeMember } from '../factories.ts';
import { startAppForTests } from '../harness.ts';
import { ensurePremium, newestInvoiceId } from '../premium.ts';
import { caseIdOf, fileReport } from '../moderation/reports.ts';
import { aboutNoOne, accessMatrix, later, systemMatrix } from './access-matrix.ts';
import { addressOf, callName, contractEndpoints } from './contract-endpoints.ts';
import { makePerson, passwordHash, roles, staffPeople, type Role } from './people.ts';
import { requestFor, requests, send, type CallRequest, type Scene } from './requests.ts';

const endpoints = await contractEndpoints();
const rows = endpoints.map((endpoint): [string, EndpointSpec] => [callName(endpoint), endpoint]);
const test = startAppForTests();

const sceneOf = async (role: Role): Promise<Scene> => ({
  test,
  actor: await makePerson(test, role),
  other: await makeMember(test, { passwordHash: await passwordHash() }),
});

const shared = new Map<Role, Promise<Scene>>();

/** One scene per role for requests that change nothing, because creating its accounts takes longer than the request. */
function sharedScene(role: Role): Promise<Scene> {
  const known = shared.get(role) ?? sceneOf(role);
  shared.set(role, known);
  return known;
}

/** Whether a request is refused for the caller's role alone, before its target matters. */
function isRefusedForRole({ access }: EndpointSpec, role: Role, expected: number | undefined): boolean {
  if (access === 'everyone') return false;
  const staffRole = (staffPeople as Partial<Record<Role, StaffRole>>)[role] ?? null;
  return expected === 401 || (expected === 403 && isPermission(access) && !may(staffRole, access));
}

describe('the access matrix', () => {
  it('has a row for every endpoint of the contract, and no others', () => {
    const names = rows.map(([name]) => name);
    const both = (table: object) => ({
      missing: names.filter((name) => !Object.hasOwn(table, name)),
      unknown: Object.keys(table).filter((name) => !names.includes(name)),
    });
    const none = { missing: [], unknown: [] };
    expect(both(accessMatrix), 'Add who may call it to access-matrix.ts, or to a file in cases/').toEqual(none);
    expect(both(requests), 'Add an example to requests.ts, or to a file in cases/').toEqual(none);
  });

  it('has at least 300 cells', () => {
    const others = Object.values(accessMatrix).filter((row) => row.others !== undefined).length;
    const cells = (Object.keys(accessMatrix).length + 2 * Object.keys(systemMatrix).length) * roles.length + others;
    expect(cells).toBeGreaterThanOrEqual(300);
  });

  it.each(rows)('%s answers each role as listed', async (name, endpoint) => {
    const expected = accessMatrix[name]?.cells;
    const answered: Partial<Record<Role, number>> = {};
    // One valid request for all roles that are refused.
    let forbidden: CallRequest | undefined;
    for (const role of roles) {
      const isRefused = isRefusedForRole(endpoint, role, expected?.[role]);
      const scene = await (isRefused || endpoint.method === 'GET' ? sharedScene(role) : sceneOf(role));
      const request = isRefused
        ? (forbidden ??= await requestFor(endpoint, await sceneOf('visitor')))
        : await requestFor(endpoint, scene);
      answered[role] = (await send(scene, endpoint, request)).status;
    }
    expect(answered).toEqual(expected);
  });

  it.each(rows.filter(([name]) => accessMatrix[name]?.others !== undefined))(
    '%s answers requests for another member’s data as listed',
    async (name, endpoint) => {
      const others = accessMatrix[name]?.others;
      const scene = await sceneOf('member');
      const answer = await send(scene, endpoint, (await others?.request(scene)) ?? {});
      expect(answer.status).toBe(others?.status);
    },
  );

  it.each(Object.entries(systemMatrix))('%s depends only on the caller’s network', async (url, expected) => {
    for (const role of roles) {
      const { actor } = await sceneOf(role);
      const headers = actor === null ? {} : { authorization: `Bearer ${actor.token}` };
      const from = async (remoteAddress: string) => (await test.app.inject({ url, headers, remoteAddress })).statusCode;
      expect({ role, here: await from('127.0.0.1'), elsewhere: await from('203.0.113.5') }).toEqual({
        role,
        ...expected,
      });
    }
  });
});

describe('staff endpoints about a person', () => {
  // Members use these endpoints, too; staff name the person.
  const alsoOfStaff = ['GET /subscription/id/{id}', 'GET /get_user_subscriptions'];
  const ofStaff = rows.filter(([name, { access }]) => isPermission(access) || alsoOfStaff.includes(name));

  /** A scene in which the caller has reported the other person. */
  async function partyScene(): Promise<Scene & { ids: (name: string) => Promise<string | undefined> }> {
    const scene = await sceneOf('owner');
    const { actor, other } = scene;
    const about = { problem_type: 'Harassment' as const, reportedUser: other.id, hideFromEachOther: false };
    const { _id: report } = await fileReport(test, await makeMember(test), about);
    if (actor !== null) await fileReport(test, actor, about);
    const ids = async (name: string) => {
      if (/ \/admin\/cases\/\{id\}/.test(name)) return await caseIdOf(test, report);
      if (/ \/(reports\/(report|delete-report)|admin\/reports)\/\{id\}/.test(name)) return report;
      if (name.endsWith('/factors/reset')) return other.id;
      if (!name.endsWith('/refund')) return undefined;
      await ensurePremium(test, other);
      return await newestInvoiceId(test, other);
    };
    return { ...scene, ids };
  }

  it('include every endpoint that is not listed as impersonal', () => {
    expect(aboutNoOne.filter((name) => !ofStaff.some(([known]) => known === name))).toEqual([]);
  });

  it.each(ofStaff.filter(([name]) => !aboutNoOne.includes(name)))(
    '%s returns 403 to an owner who reported that person',
    async (name, endpoint) => {
      const scene = await partyScene();
      const request = await requestFor(endpoint, scene);
      const id = await scene.ids(name);
      const query = name === 'GET /get_user_subscriptions' ? { query: { userId: scene.other.id } } : {};
      const answer = await send(scene, endpoint, { ...request, ...query, ...(id !== undefined && { params: { id } }) });
      expect(answer.status, 'Refuse it, or add it to aboutNoOne in access-matrix.ts').toBe(403);
      expect(answer.error.message).toBe('You are involved in this, so a colleague has to handle it.');
    },
  );
});

it('owners see the people they reported without address and birth date', async () => {
  const scene = await sceneOf('owner');
  const [token, other] = [scene.actor?.token ?? '', scene.other];
  if (scene.actor !== null)
    await fileReport(test, scene.actor, {
      problem_type: 'Harassment',
      reportedUser: other.id,
      hideFromEachOther: false,
    });
  const [masked] = /^.•••@/.exec(other.email.replace(/^(.)[^@]*/, '$1•••')) ?? [];
  const { user } = (await test.call(getAdminUser, { token, params: { id: other.id } })).body.data;
  expect([user.email.startsWith(masked ?? '-'), user.birthDate, user.seeking]).toEqual([true, null, []]);
  const search = async (term: string) =>
    (await test.call(listUsers, { token, query: { search: term } })).body.data.users.map(({ email }) => email);
  // A hit would confirm the masked address.
  expect(await search(other.email)).toEqual([]);
  expect(await search(user.name ?? '')).toContain(user.email);
  const { payload } = await test.app.inject({
    url: `/api/v1/admin/users/export?reason=Figures&search=${encodeURIComponent(user.name ?? '')}`,
    headers: { authorization: `Bearer ${token}` },
  });
  expect(payload).toContain(other.id);
  expect(payload).not.toContain(other.email);
  const own = (await test.call(getAdminUser, { token, params: { id: scene.actor?.id ?? '' } })).body.data;
  expect(own.user.email).toBe(scene.actor?.email);
});

describe('planned endpoints', () => {
  it('are not in the contract yet', () => {
    expect(later.filter((name) => rows.some(([known]) => known === name))).toEqual([]);
  });

  it('return 404 to everyone', async () => {
    const { token } = await makeAdministrator(test);
    for (const name of later) {
      const [method, path] = name.split(' ') as [EndpointSpec['method'], string];
      const url = addressOf({ method, path, summary: '', access: 'everyone' }, randomUUID());
      for (const headers of [{}, { authorization: `Bearer ${token}` }]) {
        expect((await test.app.inject({ method, url, headers })).statusCode, name).toBe(404);
      }
    }
  });
});
