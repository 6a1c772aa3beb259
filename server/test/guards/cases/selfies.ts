import { selfieTermsVersion } from '#contract/photo-verification.ts';
import { draw } from '../../pictures.ts';
import { placeCheck } from '../../selfies.ts';
import { allStaff, completed, memberOnly, permitted, type Cells, type Row } from '../people.ts';
import type { CallRequest, Scene } from '../requests.ts';

const ownCheck = async ({ test, actor, other }: Scene, state: 'drawn' | 'waiting') => ({
  id: await placeCheck(test, (actor ?? other).id, state),
});
const anothersCheck = async ({ test, other }: Scene) => ({ params: { id: await placeCheck(test, other.id, 'drawn') } });
const selfie = async () => ({ bytes: await draw() });

/** A valid request for every endpoint of photo verification. */
export const selfiesRequests: Record<string, (scene: Scene) => CallRequest | Promise<CallRequest>> = {
  'GET /photo-verification': () => ({}),
  'POST /photo-verification': () => ({ body: { agreedTo: selfieTermsVersion, another: true } }),
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
  'POST /photo-verification/{id}/{shot}': {
    cells: completedMember(200),
    others: {
      status: 404,
      request: async (scene) => {
        const { params } = await anothersCheck(scene);
        return { params: { ...params, shot: 'front' }, file: await selfie() };
      },
    },
  },
  'POST /photo-verification/{id}/send': {
    cells: completedMember(200),
    others: { status: 404, request: anothersCheck },
  },
  'DELETE /photo-verification/{id}': { cells: memberOnly(200), others: { status: 404, request: anothersCheck } },
  'DELETE /photo-verification': { cells: memberOnly(200) },
  'PUT /photo-verification/first-contact': { cells: memberOnly(200) },
  'GET /admin/selfies': { cells: permitted('pictures.review', 200) },
  'POST /admin/selfies/{id}/decision': { cells: permitted('pictures.review', 200) },
};
