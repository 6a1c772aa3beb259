import { randomBytes } from 'node:crypto';
import { drawPose, selfieTermsVersion, sendSelfies, uploadSelfie } from '#contract/photo-verification.ts';
import type { TestMember } from './factories.ts';
import type { TestApp } from './harness.ts';
import { draw } from './pictures.ts';

/** A storage key of a selfie that was never stored. */
const unstoredKey = () => `selfie-${randomBytes(16).toString('base64url')}.webp`;

/** Inserts an attempt of an account in place of an open one; returns its id. Its selfies have no bytes. */
export async function placeCheck(test: TestApp, accountId: string, state: 'drawn' | 'waiting'): Promise<string> {
  await test.db
    .deleteFrom('selfie_check')
    .where('account_id', '=', accountId)
    .where('state', 'in', ['drawn', 'waiting'])
    .execute();
  const now = test.clock.now();
  const { id } = await test.db
    .insertInto('selfie_check')
    .values({
      account_id: accountId,
      pose: 'open-hand',
      state,
      front_key: unstoredKey(),
      posed_key: unstoredKey(),
      asked_at: now,
      sent_at: state === 'waiting' ? now : null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Takes and uploads both selfies with a new pose, without sending them; returns the attempt. */
export async function takeSelfies(test: TestApp, { token }: TestMember) {
  const drawn = await test.call(drawPose, { token, body: { agreedTo: selfieTermsVersion } });
  const id = drawn.body.data.check?._id ?? '';
  for (const shot of ['front', 'posed'] as const)
    await test.call(uploadSelfie, { token, params: { id, shot }, file: { bytes: await draw() } });
  return id;
}

/** Sends selfies for review; returns the attempt. */
export async function sentSelfies(test: TestApp, member: TestMember): Promise<string> {
  const id = await takeSelfies(test, member);
  await test.call(sendSelfies, { token: member.token, params: { id } });
  return id;
}
