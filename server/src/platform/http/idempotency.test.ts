import { msg } from '@lingui/core/runtime-macro';
import { describe, expect, it } from 'vitest';
import { register } from '#contract/auth/auth.ts';
import { enableTotp, renewRecoveryCodes, setUpTotp } from '#contract/auth/factors.ts';
import { idempotencyHours, onlyCopyKeptSeconds, openedPictureSeconds } from '#contract/constants.ts';
import { openPicture, uploadMessageMedia } from '#contract/messages/message-media.ts';
import { sendMessage } from '#contract/messages/messages.ts';
import { decideApproval, requestApproval } from '#contract/profiles/approvals.ts';
import { exportUsers } from '#contract/profiles/staff.ts';
import { makeAdministrator, makeMember, type TestMember } from '../../../test/factories.ts';
import { codeAt, turnOn } from '../../../test/factors.ts';
import { password, passwordHash } from '../../../test/guards/people.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { likesIn } from '../../../test/likes.ts';
import { draw } from '../../../test/pictures.ts';
import { AppError } from './app-error.ts';
import { keptAnswer, once, readIdempotencyKey, withKeyClaimed, type IdempotencyKey } from './idempotency.ts';
import { newToken } from '../config/secrets.ts';

const test = startAppForTests();

let people = 0;
const person = () => ({
  email: `keyed-${(people += 1)}@example.test`,
  password: 'a long enough secret',
  firstName: 'Rosa',
  acceptTerms: true,
});
const join = (body: ReturnType<typeof person>, key: string, more: object = {}) =>
  test.call(register, { body, headers: { 'idempotency-key': key }, ...more });
const members = async () => (await test.db.selectFrom('account').select('id').execute()).length;

describe('a create request with an idempotency key', () => {
  it('runs once and repeats its answer to later and parallel requests', async () => {
    const [body, key, before] = [person(), newToken(), await members()];
    const first = await join(body, key);
    const again = await Promise.all(Array.from({ length: 6 }, () => join(body, key)));
    for (const answer of again) expect([answer.status, answer.raw]).toEqual([201, first.raw]);
    expect(await members()).toBe(before + 1);
    expect(await test.outbox(body.email)).toHaveLength(1);
  });

  it('is refused if its key was used with another body', async () => {
    const key = newToken();
    await join(person(), key);
    const other = await join(person(), key);
    expect([other.status, other.error.code]).toEqual([422, 'IDEMPOTENCY_MISMATCH']);
  });

  it('ignores undeclared fields when comparing bodies', async () => {
    const [body, key] = [person(), newToken()];
    const first = await join(body, key);
    expect((await join({ ...body, utm: 'x' } as typeof body, key)).raw).toBe(first.raw);
  });

  it('runs again after a refusal', async () => {
    const [body, key] = [person(), newToken()];
    expect((await join({ ...body, password: 'qwertyuiop' }, key)).status).toBe(422);
    expect((await join(body, key)).status).toBe(201);
  });

  it('is independent of another account’s request with the same key', async () => {
    const key = newToken();
    const { token } = await makeMember(test);
    expect((await join(person(), key)).status).toBe(201);
    expect((await join(person(), key, { token })).status).toBe(201);
  });

  it('accepts query strings of any length', async () => {
    const noise = Array.from({ length: 200 }, newToken).join('');
    const answer = await test.app.inject({
      method: 'POST',
      url: `/api/v1/auth/register?${noise}`,
      headers: { 'idempotency-key': newToken() },
      payload: { ...person(), noise },
    });
    expect(answer.statusCode).toBe(201);
  });

  it.each(['short', 'x'.repeat(129), 'with a space', 'ünïcode-key', ''])(
    'is refused with the key “%s”',
    async (key) => {
      const answer = await join(person(), key);
      expect(answer.status).toBe(400);
      expect(answer.error.errors?.[0]?.field).toBe('Idempotency-Key');
    },
  );

  it('is stored for a day, encrypted with a key that is not stored', async () => {
    const [body, key] = [person(), newToken()];
    await join(body, key);
    const rows = JSON.stringify(await test.db.selectFrom('idempotency').selectAll().execute());
    for (const secret of [key, body.email, Buffer.from(body.email).toString('base64'), body.password])
      expect(rows).not.toContain(secret);
    test.clock.advance(idempotencyHours * 3600 + 1);
    await test.app.background.tasks['auth.cleanUp']?.({}, undefined as never);
    expect(await test.db.selectFrom('idempotency').selectAll().execute()).toEqual([]);
    expect((await join(body, key)).error.code).toBe('EMAIL_TAKEN');
  });
});

/** Sends a call that takes effect once and whose answer is the only copy, each time with the given key. */
type OnlyCopy = () => Promise<(key: string) => Promise<{ status: number; raw: string }>>;

const openOncePhoto: OnlyCopy = async () => {
  const [ada, bo] = [await makeMember(test), await makeMember(test)];
  const params = { id: await likesIn(() => test).match(ada, bo) };
  const send = ({ token }: TestMember, given: object) =>
    test.call(sendMessage, { token, params, body: { clientId: newToken(), text: '', ...given } });
  for (const who of [ada, bo]) await send(who, { text: 'Hello' });
  const upload = { token: ada.token, params, query: { kind: 'picture' as const }, file: { bytes: await draw() } };
  const picture = (await test.call(uploadMessageMedia, upload)).body.data._id;
  const { seq } = (await send(ada, { pictures: [picture], isOnce: true })).body.data.message;
  return (key) =>
    test.call(openPicture, {
      token: bo.token,
      params: { ...params, seq: String(seq) },
      body: { picture },
      headers: { 'idempotency-key': key },
    });
};

const newRecoveryCodes: OnlyCopy = async () => {
  const someone = await makeMember(test, { passwordHash: await passwordHash() });
  const { secret } = await turnOn(test, someone, password);
  const body = { password, code: codeAt(secret, test.clock.now()) };
  return (key) => test.call(renewRecoveryCodes, { token: someone.token, body, headers: { 'idempotency-key': key } });
};

/** In a session that stays the same, as after signing in with a passkey. */
const firstRecoveryCodes: OnlyCopy = async () => {
  const { token, id } = await makeMember(test, { passwordHash: await passwordHash() });
  await test.db.updateTable('session').set({ second_factor: true }).where('account_id', '=', id).execute();
  const { secret } = (await test.call(setUpTotp, { token, body: { password } })).body.data;
  const body = { code: codeAt(secret, test.clock.now()) };
  return (key) => test.call(enableTotp, { token, body, headers: { 'idempotency-key': key } });
};

const approvedExport: OnlyCopy = async () => {
  const [ada, ben] = [await makeAdministrator(test), await makeAdministrator(test)];
  const body = {
    kind: 'users.export' as const,
    columns: ['id' as const],
    filters: { type: 'vip' as const },
    reason: 'Figures',
  };
  const { approval } = (await test.call(requestApproval, { token: ada.token, body })).body.data;
  const verdict = { verdict: 'approved' as const, reason: 'Checked' };
  await test.call(decideApproval, { token: ben.token, params: { id: approval._id }, body: verdict });
  const query = { approval: approval._id };
  return (key) => test.call(exportUsers, { token: ada.token, query, headers: { 'idempotency-key': key } });
};

describe('an answer that is the only copy', () => {
  it.each<[string, OnlyCopy, seconds: number]>([
    ['the address of a photo to view once', openOncePhoto, openedPictureSeconds],
    ['new recovery codes', newRecoveryCodes, onlyCopyKeptSeconds],
    ['the first recovery codes', firstRecoveryCodes, onlyCopyKeptSeconds],
    ['an approved export', approvedExport, onlyCopyKeptSeconds],
  ])('is given again for its key alone, while it is of use: %s', async (_what, prepare, seconds) => {
    const send = await prepare();
    const key = newToken();
    const [first, again] = [await send(key), await send(key)];
    expect([first.status, again.raw]).toEqual([200, first.raw]);
    expect((await send(newToken())).status).toBeGreaterThanOrEqual(400);
    test.clock.advance(seconds + 1);
    expect((await send(key)).status).toBeGreaterThanOrEqual(400);
  });
});

describe('idempotency', () => {
  const request = (key: string, body = '{}'): IdempotencyKey => ({ scope: 'me POST /x', key, body, status: 201 });

  it('does not store the response of failed work', async () => {
    const key = request(newToken());
    const failing = once(test.db, key, test.clock.now(), async () => {
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await keptAnswer(test.db, key, test.clock.now())).toBeNull();
  });

  it('does not store the response of a refused request, even if its writes are kept', async () => {
    const key = request(newToken());
    const refusal = new AppError('CONFLICT', msg`no`);
    expect(await once(test.db, key, test.clock.now(), async () => refusal)).toBe(refusal);
    expect(await keptAnswer(test.db, { ...key, body: '{"other":1}' }, test.clock.now())).toBeNull();
  });

  it('refuses another body while a request with the key is running, and accepts it if that request was refused', async () => {
    const key = request(newToken());
    const other = { ...key, body: '{"other":1}' };
    const claiming = (of: IdempotencyKey, work: () => Promise<void>) =>
      withKeyClaimed(test.db, of, test.clock.now(), work);
    const refused = claiming(key, async () => {
      await expect(claiming(other, async () => undefined)).rejects.toMatchObject({ code: 'IDEMPOTENCY_MISMATCH' });
      throw new AppError('CONFLICT', msg`no`);
    });
    await expect(refused).rejects.toThrow('no');
    await claiming(other, async () => undefined);
    await expect(claiming(key, async () => undefined)).rejects.toMatchObject({ code: 'IDEMPOTENCY_MISMATCH' });
  });

  it('runs only one of several parallel requests and gives its response to all of them', async () => {
    const key = request(newToken());
    let runs = 0;
    const work = () =>
      once(test.db, key, test.clock.now(), async () => {
        runs += 1;
        return { run: runs };
      });
    expect(await Promise.all([work(), work(), work()])).toEqual([{ run: 1 }, { run: 1 }, { run: 1 }]);
    expect(await keptAnswer(test.db, key, test.clock.now())).toEqual({ status: 201, body: { run: 1 } });
  });

  it('makes a key available again after a day, even before clean-up', async () => {
    const key = request(newToken());
    await once(test.db, key, test.clock.now(), async () => ({ day: 1 }));
    test.clock.advance(idempotencyHours * 3600 + 1);
    const other = { ...key, body: '{"other":1}' };
    expect(await once(test.db, other, test.clock.now(), async () => ({ day: 2 }))).toEqual({ day: 2 });
    expect(await keptAnswer(test.db, other, test.clock.now())).toEqual({ status: 201, body: { day: 2 } });
  });

  it('accepts at most one key header', () => {
    expect(readIdempotencyKey(undefined)).toBeNull();
    expect(readIdempotencyKey('12345678')).toBe('12345678');
    expect(() => readIdempotencyKey(['12345678', '12345678'])).toThrow();
  });
});
