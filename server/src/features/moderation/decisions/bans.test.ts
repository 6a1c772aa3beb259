import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { register, verifyEmail } from '#contract/auth/auth.ts';
import { getCase, handleCase, decideCase, revokeSanction } from '#contract/moderation/cases.ts';
import { listCases } from '#contract/moderation/case-list.ts';
import { listStatements } from '#contract/moderation/decisions.ts';
import { currentSubscription } from '#contract/subscriptions/subscriptions.ts';
import { deleteAllMembers } from '../../../../test/cards.ts';
import { makeAdministrator, makeMember, signIn, type TestMember } from '../../../../test/factories.ts';
import { startAppForTests } from '../../../../test/harness.ts';
import { draw, upload } from '../../../../test/pictures.ts';
import { buyPremium, settle } from '../../../../test/premium.ts';
import { caseIdOf, currentRuleId, fileReport } from '../../../../test/moderation/reports.ts';
import { untilLocked } from '../../../../test/until-locked.ts';
import { addPictures } from '#contract/media.ts';
import { canonicalAddress } from '#platform/canonical-address.ts';
import { strengthOf } from './bans.ts';

const app = startAppForTests();
let administrator: TestMember;
beforeEach(async () => {
  await app.sql`truncate ban_trace, moderation_case cascade`;
  // All who pay in a test do so with the same card.
  await deleteAllMembers(app);
  administrator = await makeAdministrator(app);
});

const day = 86_400;
const run = (task: string) => app.app.background.tasks[task]?.({}, undefined as never);

/** Decides a new report about a person with these sanctions. Returns the id of the first one. */
async function sanction(person: TestMember, ...sanctions: { kind: 'ban' | 'suspend'; days?: number }[]) {
  const report = await fileReport(app, await makeMember(app), { problem_type: 'Other', reportedUser: person.id });
  const decided = await app.call(decideCase, {
    token: administrator.token,
    params: { id: await caseIdOf(app, report._id) },
    body: {
      outcome: 'actioned',
      ruleId: await currentRuleId(app),
      facts: 'Asked four people for money after a week of messages.',
      sanctions,
    },
  });
  return decided.body.data.decision.sanctions[0]?._id ?? '';
}

const revoke = (id: string) =>
  app.call(revokeSanction, { token: administrator.token, params: { id }, body: { reason: 'A mistake' } });
const queue = async () => (await app.call(listCases, { token: administrator.token })).body.data.cases;
const caseFileOf = async (person: string) => {
  const { id } = await app.db
    .selectFrom('moderation_case')
    .select('id')
    .where('person_id', '=', person)
    .executeTakeFirstOrThrow();
  return (await app.call(getCase, { token: administrator.token, params: { id } })).body.data;
};

/** A person who signs up and verifies their address. */
async function newcomer(email: string) {
  const joined = await app.call(register, {
    body: { email, password: 'correct horse battery', firstName: 'Rosa', acceptTerms: true },
  });
  const code = (await app.outbox(email))[0]?.code ?? '';
  await app.call(verifyEmail, { body: { verificationToken: joined.body.verificationToken, code } });
  await app.drain();
  const { id } = await app.db.selectFrom('account').select('id').where('email', '=', email).executeTakeFirstOrThrow();
  return { id, token: (await signIn(app, id)).token };
}

describe('a banned person who comes back', () => {
  it('is sent to review under the same mailbox, with strength and date, and never learns about it', async () => {
    const person = await makeMember(app, { email: 'bo.ek@gmail.com' });
    await sanction(person, { kind: 'ban' });
    app.clock.advance(3 * day);
    administrator = await makeAdministrator(app);
    const back = await newcomer('B.o.ek+hearts@googlemail.com'.toLowerCase());
    const [line] = await queue();
    expect(line).toMatchObject({ person: { _id: back.id }, priority: 'high', openReports: 0, openLinks: 1 });
    const { links, timeline } = await caseFileOf(back.id);
    const bannedAt = new Date(app.clock.now().getTime() - 3 * day * 1000).toISOString();
    expect(links).toMatchObject([{ kind: 'address', strength: 'strong', bannedAt, isReturn: false }]);
    expect(links[0]?.person._id).toBe(person.id);
    expect(timeline.some(({ kind, to }) => kind === 'linked' && to === 'address')).toBe(true);
    expect((await caseFileOf(person.id)).links).toMatchObject([{ isReturn: true, person: { _id: back.id } }]);
    expect((await app.call(listStatements, { token: back.token })).body.data.notices).toEqual([]);
    const { is_active } = await app.db
      .selectFrom('account')
      .select('is_active')
      .where('id', '=', back.id)
      .executeTakeFirstOrThrow();
    expect(is_active).toBe(true);
  });

  it('is noticed later, once each, by the same card, linked provider or picture', async () => {
    const person = await makeMember(app);
    const bytes = await draw();
    const wear = async (member: TestMember, given: Buffer) => {
      const { publicId } = await upload(app, member, given);
      await app.call(addPictures, { token: member.token, body: [{ publicId }] });
    };
    const identify = ({ id }: TestMember, subject: string) =>
      app.db
        .insertInto('identity')
        .values({ provider: 'google', subject, account_id: id, linked_at: app.clock.now() })
        .execute();
    await wear(person, bytes);
    await identify(person, 'the same person');
    await buyPremium(app, person);
    const sanctionId = await sanction(person, { kind: 'ban' });
    await app.sql`update identity set subject = 'freed' where account_id = ${person.id}::uuid`;
    const back = await makeMember(app);
    await app.drain();
    expect(await queue()).toEqual([]);
    await wear(back, bytes);
    await buyPremium(app, back);
    await identify(back, 'the same person');
    await app.drain();
    await app.app.background.tasks['bans.compare']?.({ accountId: back.id }, undefined as never);
    const { links } = await caseFileOf(back.id);
    expect(links.map(({ kind, strength }) => `${kind} ${strength}`).sort()).toEqual([
      'card strong',
      'identity strong',
      'picture medium',
    ]);
    const kept = await app.db.selectFrom('ban_trace').select('hash').execute();
    expect(kept.every(({ hash }) => hash.length === 32)).toBe(true);
    await revoke(sanctionId);
    expect(await app.db.selectFrom('ban_trace').selectAll().execute()).toEqual([]);
    expect((await caseFileOf(back.id)).links.every(({ isRevoked }) => isRevoked)).toBe(true);
  });

  it('is decided on like a report, and can be reopened', async () => {
    await sanction(await makeMember(app, { email: 'back.again@example.test' }), { kind: 'ban' });
    const back = await newcomer('back.again+2@example.test');
    const { case: opened } = await caseFileOf(back.id);
    await app.call(decideCase, {
      token: administrator.token,
      params: { id: opened._id },
      body: { outcome: 'no_violation' },
    });
    expect((await caseFileOf(back.id)).case).toMatchObject({ stage: 'decided', openLinks: 0 });
    const body = { step: 'reopen' as const, reason: 'A second look' };
    const reopened = await app.call(handleCase, { token: administrator.token, params: { id: opened._id }, body });
    expect(reopened.body.data.case).toMatchObject({ stage: 'assigned', openLinks: 1 });
  });

  it('is not recognized more than two years after the ban, or before their address is verified', async () => {
    await sanction(await makeMember(app, { email: 'long.ago@example.test' }), { kind: 'ban' });
    const unproven = await makeMember(app, { email: 'long.ago+1@example.test', verified: false });
    await app.app.background.tasks['bans.compare']?.({ accountId: unproven.id }, undefined as never);
    expect(await queue()).toEqual([]);
    app.clock.advance(731 * day);
    await run('bans.forget');
    await newcomer('long.ago+2@example.test');
    administrator = await makeAdministrator(app);
    expect(await queue()).toEqual([]);
  });
});

describe('accounts that existed before a ban', () => {
  it('are found by mailbox and card, opened for review and never acted on; staff are only kept away from the case', async () => {
    const person = await makeMember(app, { email: 'two.of.me@gmail.com' });
    const [alias, payer, colleague, other] = [
      await makeMember(app, { email: 'twoofme+old@gmail.com' }),
      await makeMember(app),
      await makeAdministrator(app, { email: 'twoofme+work@gmail.com' }),
      await makeMember(app, { email: 'two.of.me@example.test' }),
    ];
    await buyPremium(app, person);
    await buyPremium(app, payer);
    await sanction(person, { kind: 'ban' });
    await app.drain();
    await app.drain();
    const rows = await app.db.selectFrom('account_link').select(['account_id', 'kind']).execute();
    const linksOf = ({ id }: TestMember) => rows.filter(({ account_id }) => account_id === id).map(({ kind }) => kind);
    expect([alias, payer, colleague, other].map(linksOf)).toEqual([['address'], ['card'], ['address'], []]);
    expect((await queue()).map(({ person: { _id } }) => _id).sort()).toEqual([alias.id, payer.id].sort());
    const { timeline, links } = await caseFileOf(person.id);
    expect(timeline.filter(({ kind }) => kind === 'searched')).toHaveLength(1);
    expect(links.every(({ isReturn }) => isReturn)).toBe(true);
    const active = await app.db.selectFrom('account').select('id').where('is_active', '=', true).execute();
    expect(active.map(({ id }) => id)).toEqual(expect.arrayContaining([alias.id, payer.id, colleague.id]));
    expect((await caseFileOf(alias.id)).links).toMatchObject([{ kind: 'address', strength: 'strong' }]);
    const own = await app.db
      .selectFrom('moderation_case')
      .select('id')
      .where('person_id', '=', person.id)
      .executeTakeFirstOrThrow();
    expect((await app.call(getCase, { token: colleague.token, params: { id: own.id } })).status).toBe(403);
  });
});

describe('the similarity of two accounts', () => {
  it('finds the same mailbox in any spelling of the address', () => {
    expect(canonicalAddress('Bo.Ek+x@Example.test')).toBe('bo.ek@example.test');
    expect(canonicalAddress('b.o@googlemail.com')).toBe(canonicalAddress('BO+1@gmail.com'));
    expect(canonicalAddress('+a@example.test')).not.toBe(canonicalAddress('+b@example.test'));
    expect(canonicalAddress('b.o@example.test')).not.toBe(canonicalAddress('bo@example.test'));
  });

  it.each([
    'Bo.Ek+x+y@Example.test',
    'B.o+x@gmail.com',
    'bo@GoogleMail.com',
    '+a@example.test',
    '+a.b@gmail.com',
    'bo@gmail.company',
  ])('takes %s for the same mailbox in the database', async (email) => {
    const { rows } = await sql<{ mailbox: string }>`select mailbox_of(${email}) as mailbox`.execute(app.db);
    expect(rows).toEqual([{ mailbox: canonicalAddress(email) }]);
  });

  it('is stronger for a card than for a picture, and ignores a few equal bands as chance', () => {
    expect([strengthOf('card', 1), strengthOf('picture', 7), strengthOf('picture', 5)]).toEqual([
      'strong',
      'medium',
      'weak',
    ]);
    expect(strengthOf('picture', 4)).toBeNull();
  });
});

describe('premium of a suspended member', () => {
  it('does not renew, and the lost days return when the sanction is revoked', async () => {
    const person = await makeMember(app);
    const { currentPeriodEnd } = await buyPremium(app, person);
    const sanctionId = await sanction(person, { kind: 'suspend', days: 7 });
    await settle(app);
    app.clock.advance(3 * day);
    administrator = await makeAdministrator(app);
    const until = async () => {
      const row = await app.db
        .selectFrom('entitlement')
        .select('until')
        .where('account_id', '=', person.id)
        .executeTakeFirstOrThrow();
      return row.until.getTime() - Date.parse(currentPeriodEnd ?? '');
    };
    expect(await until()).toBe(0);
    await revoke(sanctionId);
    expect(await until()).toBe(3 * day * 1000);
    const { token } = await signIn(app, person.id);
    const { subscription } = (await app.call(currentSubscription, { token })).body;
    expect(subscription.cancelAtPeriodEnd).toBe(true);
  });

  it('is returned once when two sanctions are revoked at the same time', async () => {
    const person = await makeMember(app);
    await buyPremium(app, person);
    const ids = [await sanction(person, { kind: 'suspend', days: 7 })];
    app.clock.advance(day);
    administrator = await makeAdministrator(app);
    ids.push(await sanction(person, { kind: 'suspend', days: 7 }));
    app.clock.advance(2 * day);
    administrator = await makeAdministrator(app);
    const holder = await app.pool.connect();
    await holder.query('begin');
    await holder.query('select from account where id = $1 for update', [person.id]);
    const both = ids.map((id) => revoke(id));
    await untilLocked(app.pool, 2);
    await holder.query('commit');
    holder.release();
    expect((await Promise.all(both)).map(({ status }) => status)).toEqual([200, 200]);
    const credit = app.db.selectFrom('premium_credit').select('ms').where('account_id', '=', person.id);
    expect(Number((await credit.executeTakeFirstOrThrow()).ms)).toBe(3 * day * 1000);
  });

  it('does not return for days that another sanction covers', async () => {
    const person = await makeMember(app);
    await buyPremium(app, person);
    const wrong = await sanction(person, { kind: 'suspend', days: 7 });
    await sanction(person, { kind: 'suspend', days: 7 });
    app.clock.advance(3 * day);
    administrator = await makeAdministrator(app);
    await revoke(wrong);
    const credit = app.db.selectFrom('premium_credit').select('ms').where('account_id', '=', person.id);
    expect(await credit.execute()).toEqual([]);
  });
});
