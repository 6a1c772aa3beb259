import { selfieTermsVersion } from '#contract/photo-verification.ts';
import type { TestMember } from '../../factories.ts';
import type { TestApp } from '../../harness.ts';
import { draw, placeUpload } from '../../pictures.ts';
import { placeCheck } from '../../selfies.ts';
import { allStaff, completed, memberOnly, permitted, type Cells, row, type Row } from '../people.ts';
import type { CallRequest, Scene } from '../requests.ts';

const ownCheck = async ({ test, actor, other }: Scene, state: 'drawn' | 'waiting') => ({
  id: await placeCheck(test, (actor ?? other).id, state),
});
const anothersCheck = async ({ test, other }: Scene) => ({ params: { id: await placeCheck(test, other.id, 'drawn') } });
/** Regardless of other requests, a person with a complete profile has a profile picture, no open attempt and no badge. */
async function makeReady(test: TestApp, { id }: TestMember): Promise<void> {
  await test.db.deleteFrom('selfie_check').where('account_id', '=', id).execute();
  const none = { photo_verified_at: null, photo_verified_ids: null };
  await test.db.updateTable('profile').set(none).where('account_id', '=', id).execute();
  const profile = test.db.selectFrom('profile').select(['complete', 'pictures']).where('account_id', '=', id);
  const { complete, pictures } = await profile.executeTakeFirstOrThrow();
  if (!complete || pictures.some(({ place }) => place === 0)) return;
  const { publicId } = await placeUpload(test, id);
  const now = test.clock.now();
  const shown = { state: 'approved' as const, place: 0, claimed_at: now, decided_at: now };
  await test.db.updateTable('picture').set(shown).where('public_id', '=', publicId).execute();
}
const selfie = async () => ({ bytes: await draw() });

/** A valid request for every endpoint of photo verification. */
export const selfiesRequests: Record<string, (scene: Scene) => CallRequest | Promise<CallRequest>> = {
  'GET /photo-verification': () => ({}),
  'POST /photo-verification': async ({ test, actor }) => {
    if (actor !== null) await makeReady(test, actor);
    return { body: { agreedTo: selfieTermsVersion, another: true } };
  },
  'POST /photo-verification/{id}/{shot}': async (scene) => ({
    params: { ...(await ownCheck(scene, 'drawn')), shot: 'front' },
    file: await selfie(),
  }),
  'POST /photo-verification/{id}/send': async (scene) => ({ params: await ownCheck(scene, 'drawn') }),
  'DELETE /photo-verification/{id}': async (scene) => ({ params: await ownCheck(scene, 'waiting') }),
  'DELETE /photo-verification': () => ({}),
  'PUT /photo-verification/first-contact': () => ({ body: { onlyVerifiedMayWrite: false } }),
  'GET /admin/selfies': () => ({ query: { limit: '5' } }),
  'POST /admin/selfies/{id}/decision': async ({ test, other }) => ({
    params: { id: await placeCheck(test, other.id, 'waiting') },
    body: { verdict: 'again', reason: 'The face is in the dark', pictures: [] },
  }),
};

/** Staff have no profile to verify. */
const completedMember = (status: number): Cells => ({ ...completed(status), ...allStaff(403) });

/** Who may call which endpoints of photo verification. */
export const selfiesRows: Record<string, Row> = {
  'GET /photo-verification': { cells: memberOnly(200) },
  'POST /photo-verification': { cells: completedMember(200) },
  'POST /photo-verification/{id}/{shot}': row(completedMember(200), 404, async (scene) => {
    const { params } = await anothersCheck(scene);
    return { params: { ...params, shot: 'front' }, file: await selfie() };
  }),
  'POST /photo-verification/{id}/send': row(completedMember(200), 404, anothersCheck),
  'DELETE /photo-verification/{id}': row(memberOnly(200), 404, anothersCheck),
  'DELETE /photo-verification': { cells: memberOnly(200) },
  'PUT /photo-verification/first-contact': { cells: memberOnly(200) },
  'GET /admin/selfies': { cells: permitted('pictures.review', 200) },
  'POST /admin/selfies/{id}/decision': { cells: permitted('pictures.review', 200) },
};
