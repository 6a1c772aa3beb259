import { type AgeAnswer, startAgeCheck } from '#contract/age-check.ts';
import { makeMember } from '../../factories.ts';
import type { TestApp } from '../../harness.ts';
import { caseIdOf, fileReport } from '../../moderation/reports.ts';
import { everyone, memberOnly, permitted, type Row } from '../people.ts';
import type { CallRequest, Scene } from '../requests.ts';

/** The id of a new case about someone who may be a minor. */
async function minorsCase(test: TestApp): Promise<string> {
  const reported = await makeMember(test);
  const about = { problem_type: 'Harassment' as const, reportedUser: reported.id, mayBeMinor: true };
  const report = await fileReport(test, await makeMember(test), about);
  return await caseIdOf(test, report._id);
}

/** The signed answer of the provider's double to a new member's check. */
async function signedAnswer(test: TestApp): Promise<AgeAnswer> {
  const { token } = await makeMember(test);
  const { url } = (await test.call(startAgeCheck, { token })).body.data;
  const [, query] = /href="[^"?]+\?([^"]+)"/.exec((await test.app.inject(url)).body) ?? [];
  const { check = '', signature = '' } = Object.fromEntries(new URLSearchParams(query?.replaceAll('&amp;', '&')));
  return { check, result: 'adult', signature };
}

/** A valid request for every endpoint of age checks. */
export const ageRequests: Record<string, (scene: Scene) => CallRequest | Promise<CallRequest>> = {
  'GET /age-check': () => ({}),
  'POST /age-check': () => ({}),
  'POST /age-check/answer': async ({ test }) => ({ body: { ...(await signedAnswer(test)) } }),
  'POST /admin/cases/{id}/ask-age': async ({ test }) => ({ params: { id: await minorsCase(test) } }),
};

/** Who may call which endpoints of age checks. */
export const ageRows: Record<string, Row> = {
  'GET /age-check': { cells: memberOnly(200) },
  'POST /age-check': { cells: memberOnly(200) },
  'POST /age-check/answer': { cells: everyone(200) },
  'POST /admin/cases/{id}/ask-age': { cells: permitted('cases.handle', 200) },
};
