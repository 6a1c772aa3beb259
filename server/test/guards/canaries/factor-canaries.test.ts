import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { strFromU8 } from 'fflate';
import { disableTotp, enableTotp, loginWithCode, setUpTotp } from '#contract/auth/factors.ts';
import { passkeyRegister, passkeyRegisterOptions } from '#contract/auth/passkeys.ts';
import { takeArchive } from '../../archive.ts';
import { Authenticator } from '../../doubles/authenticator.ts';
import { makeAdministrator, makeMember, makeModerator, type TestMember } from '../../factories.ts';
import { assertionOf, challengeOf, codeAt, signInByPasskey, takeTokens, wrongCodeAt } from '../../factors.ts';
import { startAppForTests } from '../../harness.ts';
import { addressOf, contractEndpoints } from '../contract-endpoints.ts';
import { password, passwordHash } from '../people.ts';

const test = startAppForTests();
let victim: TestMember;
const authenticator = new Authenticator();
/** Secrets shown only once, in every encoding. */
const secrets: Record<string, string> = {};
beforeAll(async () => {
  victim = await makeMember(test, { passwordHash: await passwordHash() });
  const { token, email } = victim;
  const now = test.clock.now();
  const { secret, uri } = (await test.call(setUpTotp, { token, body: { password } })).body.data;
  const first = codeAt(secret, now);
  const { recoveryCodes, ...raised } = (await test.call(enableTotp, { token, body: { code: first } })).body.data;
  takeTokens(victim, raised);
  const started = { password, code: codeAt(secret, now, 1) };
  const { options } = (await test.call(passkeyRegisterOptions, { token: victim.token, body: started })).body.data;
  const credential = authenticator.make(options);
  await test.call(passkeyRegister, { token: victim.token, body: { credential, name: 'Canaryphone' } });
  await signInByPasskey(test, authenticator);
  const challenge = await challengeOf(test, email, password);
  await test.call(loginWithCode, { body: { challenge, code: wrongCodeAt(secret, now) } });
  await test.call(loginWithCode, { body: { challenge, code: recoveryCodes[0] ?? '' } });
  await test.call(disableTotp, { token: victim.token, body: { password: 'not my own one' } });
  await test.drain();
  const key = authenticator.keepFor(options.user.id);
  const { sealed_secret } = await test.db.selectFrom('totp_factor').selectAll().executeTakeFirstOrThrow();
  Object.assign(secrets, {
    secret,
    uri,
    code: `"${first}"`,
    challenge,
    passkeyChallenge: options.challenge,
    credential: credential.id,
    key: key.toString('base64url'),
    sealed: sealed_secret.toString('base64'),
    sealedHex: sealed_secret.toString('hex'),
    ...Object.fromEntries(recoveryCodes.map((code, index) => [`recovery${index}`, code])),
  });
});

const found = (text: string) =>
  Object.entries(secrets).flatMap(([name, value]) => (text.includes(value) ? [name] : []));

describe('keys, codes and challenges of second factors', () => {
  it('are missing from every answer to their owner, another member and staff', async () => {
    let answers = '';
    const askers = [
      victim,
      await makeMember(test, { passwordHash: await passwordHash() }),
      await makeModerator(test),
      await makeAdministrator(test),
    ];
    for (const endpoint of (await contractEndpoints()).filter(({ method }) => method === 'GET')) {
      for (const { token } of askers) {
        const headers = { authorization: `Bearer ${token}` };
        answers += (await test.app.inject({ url: addressOf(endpoint, victim.id), headers })).body;
      }
    }
    expect(answers).toContain('Canaryphone');
    expect(found(answers)).toEqual([]);
  });

  it('are missing from the owner’s export, which lists only what exists and since when', async () => {
    const files = await takeArchive(test, victim.token, { passkey: await assertionOf(test, authenticator) });
    const archive = Object.values(files)
      .map((bytes) => strFromU8(bytes))
      .join('\n');
    expect(archive).toContain('"recoveryCodesLeft": 9');
    expect(archive).toContain('Canaryphone');
    expect(found(archive)).toEqual([]);
  });

  it('are missing from logs and emails', async () => {
    expect(found(test.logLines())).toEqual([]);
    const { rows } = await sql<{ text: string }>`select data::text as text from mail`.execute(test.db);
    expect(found(rows.map(({ text }) => text).join('\n'))).toEqual([]);
  });

  it('are not stored in plain text in the database', async () => {
    const { rows: tables } = await sql<{ name: string }>`
      select tablename as name from pg_tables where schemaname = 'public'`.execute(test.db);
    let contents = '';
    for (const { name } of tables) {
      const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.table(name)} t`.execute(test.db);
      contents += rows.map(({ row }) => row).join('\n');
    }
    const inHex = Object.entries(secrets).flatMap(([name, value]) =>
      contents.includes(Buffer.from(value.replaceAll('-', '')).toString('hex')) ? [name] : [],
    );
    expect([...found(contents), ...inHex]).toEqual(['sealedHex']);
  });
});
