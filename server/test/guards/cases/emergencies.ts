import { markEmergency, setPreservation } from '#contract/moderation/emergencies.ts';
import { addHelpLine } from '#contract/moderation/help-lines.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import { makeAdministrator } from '../../factories.ts';
import type { TestApp } from '../../harness.ts';
import { currentRuleId } from '../../moderation/reports.ts';
import { everyone, permitted, type Row } from '../people.ts';
import { type CallRequest, type Scene, someCase } from '../requests.ts';

const facts = 'Several people say that this account threatened them.';
const emergency = async (test: TestApp) => ({ kind: 'extortion' as const, ruleId: await currentRuleId(test), facts });

async function restrictedCase(test: TestApp) {
  const request = await someCase(test);
  const { token } = await makeAdministrator(test);
  await test.call(markEmergency, { ...request, token, body: await emergency(test) });
  return request;
}

const hold = ({ clock }: TestApp) => ({
  reason: 'An order of a court',
  reviewOn: secondsAfter(clock.now(), 30 * 86_400)
    .toISOString()
    .slice(0, 10),
});

async function heldCase(test: TestApp) {
  const request = await someCase(test);
  const { token } = await makeAdministrator(test);
  await test.call(setPreservation, { ...request, token, body: hold(test) });
  return request;
}

const line = {
  country: 'DE',
  name: 'A help line',
  phone: '116 006',
  url: null,
  note: 'At any hour.',
  isEmergency: false,
};

async function someLine(test: TestApp) {
  const { token } = await makeAdministrator(test);
  return { params: { id: (await test.call(addHelpLine, { token, body: line })).body.data.line._id } };
}

/** A valid request for every endpoint of emergencies, legal holds and help lines. */
export const emergencyRequests: Record<string, (scene: Scene) => CallRequest | Promise<CallRequest>> = {
  'POST /admin/cases/{id}/emergency': async ({ test }) => ({ ...(await someCase(test)), body: await emergency(test) }),
  'POST /admin/cases/{id}/emergency/end': async ({ test }) => ({
    ...(await restrictedCase(test)),
    body: { reason: 'A false alarm' },
  }),
  'POST /admin/cases/{id}/referrals': async ({ test }) => ({
    ...(await someCase(test)),
    body: { authority: 'Police', handedOver: 'The reports', legalBasis: 'A request', on: '2026-01-01' },
  }),
  'POST /admin/cases/{id}/legal-hold': async ({ test }) => ({
    ...(await someCase(test)),
    body: hold(test),
  }),
  'POST /admin/cases/{id}/legal-hold/release': async ({ test }) => ({
    ...(await heldCase(test)),
    body: { reason: 'The order has ended' },
  }),
  'GET /admin/cases/{id}/legal-hold/copy': ({ test }) => heldCase(test),
  'GET /help-lines': () => ({}),
  'POST /admin/help-lines': () => ({ body: line }),
  'PUT /admin/help-lines/{id}': async ({ test }) => ({ ...(await someLine(test)), body: line }),
  'DELETE /admin/help-lines/{id}': ({ test }) => someLine(test),
};

/** Who may call which endpoints of emergencies, legal holds and help lines. */
export const emergencyRows: Record<string, Row> = {
  'POST /admin/cases/{id}/emergency': { cells: permitted('cases.handle', 200) },
  'POST /admin/cases/{id}/emergency/end': { cells: permitted('cases.handle', 200) },
  'POST /admin/cases/{id}/referrals': { cells: permitted('cases.lead', 201) },
  'POST /admin/cases/{id}/legal-hold': { cells: permitted('cases.lead', 200) },
  'POST /admin/cases/{id}/legal-hold/release': { cells: permitted('cases.lead', 200) },
  'GET /admin/cases/{id}/legal-hold/copy': { cells: permitted('cases.lead', 200) },
  'GET /help-lines': { cells: everyone(200) },
  'POST /admin/help-lines': { cells: permitted('service.edit', 201) },
  'PUT /admin/help-lines/{id}': { cells: permitted('service.edit', 200) },
  'DELETE /admin/help-lines/{id}': { cells: permitted('service.edit', 200) },
};
