import { randomUUID } from 'node:crypto';
import { makeMember } from '../../factories.ts';
import type { TestApp } from '../../harness.ts';
import { caseIdOf, fileReport } from '../../reports.ts';
import { everyone, memberOnly, permitted, type Row } from '../people.ts';
import type { CallRequest, Scene } from '../requests.ts';

/** The id of a new case about someone who may be a minor. */
async function minorsCase(test: TestApp): Promise<string> {
  const reported = await makeMember(test);
  const about = { problem_type: 'Harassment' as const, reportedUser: reported.id, mayBeMinor: true };
  const report = await fileReport(test, await makeMember(test), about);
  return await caseIdOf(test, report._id);
}

/** A valid request for every endpoint of age assurance; the answer of a provider can be signed only by it. */
export const ageRequests: Record<string, (scene: Scene) => CallRequest | Promise<CallRequest>> = {
  'GET /age-check': () => ({}),
  'POST /age-check': () => ({}),
  'POST /age-check/answer': () => ({ body: { check: randomUUID(), result: 'adult', signature: 'not the provider' } }),
  'POST /admin/cases/{id}/ask-age': async ({ test }) => ({ params: { id: await minorsCase(test) } }),
};

/** Who may call which endpoints of age assurance. */
export const ageRows: Record<string, Row> = {
  'GET /age-check': { cells: memberOnly(200) },
  'POST /age-check': { cells: memberOnly(200) },
  'POST /age-check/answer': { cells: everyone(404) },
  'POST /admin/cases/{id}/ask-age': { cells: permitted('cases.handle', 200) },
};
