import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decideSelfie, listSelfies, withdrawSelfies } from '#contract/photo-verification.ts';
import { startS3Double, type S3Double } from '../../../test/doubles/s3-double.ts';
import { makeMember, makeModerator, type TestMember } from '../../../test/factories.ts';
import { startApp, type TestApp } from '../../../test/harness.ts';
import { sentSelfies } from '../../../test/selfies.ts';

let double: S3Double;
let test: TestApp;
let moderator: TestMember;
beforeAll(async () => {
  double = await startS3Double();
  test = await startApp(double.environment);
  moderator = await makeModerator(test);
});
afterAll(async () => {
  await test.close();
  await double.close();
});

const sent = async () => {
  const member = await makeMember(test);
  return { member, id: await sentSelfies(test, member) };
};

describe('selfies in a bucket', () => {
  it('have a separate prefix, and never a direct address', async () => {
    await sent();
    expect([...double.objects.keys()]).toEqual([
      expect.stringMatching(/^selfie-[\w-]{22}\.webp$/),
      expect.stringMatching(/^selfie-[\w-]{22}\.webp$/),
    ]);
    const { selfies } = (await test.call(listSelfies, { token: moderator.token })).body.data;
    const answer = await test.app.inject({ url: selfies[0]?.frontUrl ?? '' });
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'image/webp']);
  });

  it('are deleted after the decision or a withdrawal', async () => {
    const before = double.objects.size;
    const { id } = await sent();
    const { member, id: withdrawn } = await sent();
    expect(double.objects.size).toBe(before + 4);
    const body = { verdict: 'again' as const, reason: 'Too dark', pictures: [] };
    await test.call(decideSelfie, { token: moderator.token, params: { id }, body });
    await test.call(withdrawSelfies, { token: member.token, params: { id: withdrawn } });
    await test.drain();
    expect(double.objects.size).toBe(before);
  });
});
