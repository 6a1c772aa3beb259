import {
  closedOutsiderReport,
  placeOutsiderReport,
  solvedChallenge,
  someOutsiderReport,
} from '../../moderation/outsiders.ts';
import { everyone, permitted, row, type Row } from '../people.ts';
import type { CallRequest, Scene } from '../requests.ts';

const someWaiting = async ({ test }: Scene) => ({ params: { id: await placeOutsiderReport(test) } });

/** A valid request for every endpoint of outsider reports. */
export const outsidersRequests: Record<string, (scene: Scene) => CallRequest | Promise<CallRequest>> = {
  'GET /notices/challenge': () => ({}),
  'POST /notices': async ({ test }) => ({ body: { ...someOutsiderReport(), proof: await solvedChallenge(test) } }),
  'POST /notices/link': async ({ test }) => ({ body: { token: (await closedOutsiderReport(test)).token } }),
  'POST /notices/link/appeal': async ({ test }) => {
    const { id, token } = await closedOutsiderReport(test);
    return { body: { token, noticeId: id, text: 'The profile is there, look again.' } };
  },
  'POST /notices/link/forget': async ({ test }) => ({ body: { token: (await closedOutsiderReport(test)).token } }),
  'GET /admin/notices': () => ({ query: { view: 'waiting' } }),
  'POST /admin/notices/{id}/close': async (scene) => ({ ...(await someWaiting(scene)), body: {} }),
  'POST /admin/notices/{id}/case': async (scene) => ({
    ...(await someWaiting(scene)),
    body: { userId: scene.other.id },
  }),
};

/** Who may call which endpoints of outsider reports. */
export const outsidersRows: Record<string, Row> = {
  'GET /notices/challenge': { cells: everyone(200) },
  'POST /notices': { cells: everyone(201) },
  'POST /notices/link': row(everyone(200), 404, ({ other }) => ({ body: { token: other.refreshToken } })),
  'POST /notices/link/appeal': row(everyone(201), 404, async ({ test }) => {
    const [own, anothers] = [await closedOutsiderReport(test), await closedOutsiderReport(test)];
    return { body: { token: own.token, noticeId: anothers.id, text: 'Not mine.' } };
  }),
  'POST /notices/link/forget': row(everyone(200), 404, ({ other }) => ({ body: { token: other.refreshToken } })),
  'GET /admin/notices': { cells: permitted('cases.list', 200) },
  'POST /admin/notices/{id}/close': { cells: permitted('cases.handle', 200) },
  'POST /admin/notices/{id}/case': { cells: permitted('cases.handle', 200) },
};
