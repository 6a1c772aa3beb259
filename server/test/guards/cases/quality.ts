import { randomUUID } from 'node:crypto';
import { system } from '../../../src/features/moderation/work/case-event.ts';
import { publishReport } from '../../../src/features/moderation/transparency/make.ts';
import { goldenCase, takenLook } from '../../moderation/second-looks.ts';
import { decisionAbout } from '../../moderation/decisions.ts';
import { everyone, permitted, type Row } from '../people.ts';
import type { CallRequest, Scene } from '../requests.ts';

/** Last year, which has a report. */
async function reportedYear({ test }: Scene): Promise<CallRequest> {
  const year = test.clock.now().getUTCFullYear() - 1;
  await publishReport(test.db, { year, version: 1, actor: system }, test.clock.now());
  return { params: { year: String(year), file: 'report' } };
}

/** A second look that the caller has taken, about the other person. */
async function takenByActor({ test, actor, other }: Scene): Promise<CallRequest> {
  return { params: { id: await takenLook(test, (actor ?? other).id, other.id) } };
}

/** A valid request for every endpoint of transparency reports and second looks. */
export const qualityRequests: Record<string, (scene: Scene) => CallRequest | Promise<CallRequest>> = {
  'GET /transparency': () => ({}),
  'GET /transparency/schema': () => ({}),
  'GET /transparency/{year}/{file}': reportedYear,
  'POST /admin/transparency': () => ({}),
  'POST /admin/second-looks/next': () => ({}),
  'POST /admin/second-looks/{id}/judgement': async (scene) => ({
    ...(await takenByActor(scene)),
    body: { outcome: 'no_violation' },
  }),
  'POST /admin/second-looks/{id}/skip': takenByActor,
  'GET /admin/second-look-figures': () => ({}),
  'GET /admin/care': () => ({}),
  'GET /admin/golden-cases': () => ({}),
  'POST /admin/golden-cases': async ({ test, other }) => {
    const by = { id: randomUUID(), name: 'Zoe Quill' };
    const { decisionId } = await decisionAbout(test, other.id, { by, at: test.clock.now(), clause: '2' });
    const story = 'Someone wrote forty insults in a row to a person who had asked for silence.';
    return { body: { decisionId, story } };
  },
  'DELETE /admin/golden-cases/{id}': async ({ test }) => ({ params: { id: await goldenCase(test) } }),
};

/** Who may call which of them: transparency reports are public. */
export const qualityRows: Record<string, Row> = {
  'GET /transparency': { cells: everyone(200) },
  'GET /transparency/schema': { cells: everyone(200) },
  'GET /transparency/{year}/{file}': { cells: everyone(200) },
  'POST /admin/transparency': { cells: permitted('audit.verify', 200) },
  'POST /admin/second-looks/next': { cells: permitted('cases.handle', 200) },
  'POST /admin/second-looks/{id}/judgement': { cells: permitted('cases.handle', 200) },
  'POST /admin/second-looks/{id}/skip': { cells: permitted('cases.handle', 200) },
  'GET /admin/care': { cells: permitted('cases.handle', 200) },
  'GET /admin/second-look-figures': { cells: permitted('cases.lead', 200) },
  'GET /admin/golden-cases': { cells: permitted('cases.lead', 200) },
  'POST /admin/golden-cases': { cells: permitted('cases.lead', 201) },
  'DELETE /admin/golden-cases/{id}': { cells: permitted('cases.lead', 200) },
};
