import { randomUUID } from 'node:crypto';
import { forgotPassword, leaveService, register, restoreEmail } from '#contract/auth/auth.ts';
import { termsVersion } from '#contract/constants.ts';
import type { EndpointSpec } from '#contract/endpoint.ts';
import { createReport } from '#contract/moderation/reports.ts';
import { changeReportStatus } from '#contract/moderation/staff-reports.ts';
import type { ViewScreen } from '#contract/moderation/saved-views.ts';
import { askForExport, currentPasswordHeader } from '#contract/takeout.ts';
import { makeMember, type TestMember } from '../factories.ts';
import { holdAccount } from '../moderation/holds.ts';
import type { TestApp } from '../harness.ts';
import { newRule, ruleBody } from '../moderation/automatic-rules.ts';
import { askForChange, changeAddress, mailedToken } from '../address-change.ts';
import { draw, placeUpload, sendFile, type SentFile } from '../pictures.ts';
import { approvalOf, messageApprovalOf, bulkActOf, newTag, noteAbout } from '../user-files.ts';
import { appealedBy, appealTokenOf, caseIdOf, currentRuleId, fileReport, warnedBy } from '../moderation/reports.ts';
import { claimCase } from '#contract/moderation/cases.ts';
import { factorsRequests } from './cases/factors.ts';
import { helpRequests } from './cases/help.ts';
import { identitiesRequests } from './cases/identities.ts';
import { datesRequests } from './cases/dates.ts';
import { controlRequests } from './cases/control.ts';
import { likesRequests, messagesRequests } from './cases/matching.ts';
import { emergencyRequests } from './cases/emergencies.ts';
import { notificationsRequests } from './cases/notifications.ts';
import { outsidersRequests } from './cases/outsiders.ts';
import { premiumRequests } from './cases/premium.ts';
import { ageRequests } from './cases/age.ts';
import { qualityRequests } from './cases/quality.ts';
import { serviceRequests } from './cases/service.ts';
import { selfiesRequests } from './cases/selfies.ts';
import { newAddress, newPassword, password, passwordHash } from './people.ts';
import { callName } from './contract-endpoints.ts';
import { tokenIn } from '../mail/link-token.ts';

/** The caller and the accounts that the request may be about. */
export interface Scene {
  test: TestApp;
  /** Null for a visitor. */
  actor: TestMember | null;
  other: TestMember;
}

export interface CallRequest {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: Record<string, unknown>;
  headers?: Record<string, string>;
  file?: SentFile;
}

/** Registers a new account; returns the emailed secrets and the answer. */
export async function registerNewcomer(test: TestApp, more: Record<string, unknown> = {}) {
  const email = newAddress();
  const body = { email, password, firstName: 'Rosa', acceptTerms: true, ...more };
  const joined = await test.call(register, { body });
  const [mail] = await test.outbox(email);
  return { email, ...joined.body, code: mail?.code ?? '', linkToken: linkTokenOf(mail) };
}

/** The token in an email's link, whatever its name. */
export function linkTokenOf(mail: { links: string[] } | undefined): string {
  const names = ['token', 'restore', 'cancel', 'undo', 'stop'];
  return names.map((name) => tokenIn(mail?.links[0], name)).find((token) => token !== null) ?? '';
}

/** The mailed token that resets the password of `email`. */
export async function resetTokenFor(test: TestApp, email: string): Promise<string> {
  await test.call(forgotPassword, { body: { email } });
  await test.drain();
  const mails = await test.outbox(email);
  return linkTokenOf(mails.find(({ links }) => links[0]?.includes('/app/reset-password')));
}

const withPassword = async (test: TestApp) => makeMember(test, { passwordHash: await passwordHash() });

/** The mailed handle that restores an account that was just deleted. */
export async function restoreHandle(test: TestApp): Promise<string> {
  const member = await withPassword(test);
  await test.call(leaveService, { token: member.token, body: { password } });
  return linkTokenOf((await test.outbox(member.email))[0]);
}

const profile = { firstName: 'Rosa', lastName: 'Lind', gender: 'woman', seeking: ['woman', 'man'], bio: 'Likes rain.' };

const isStaff = async ({ test, actor }: Scene) => {
  const staff = await test.db.selectFrom('account').select('id').where('staff_role', 'is not', null).execute();
  return staff.some(({ id }) => id === actor?.id);
};

/** A report the caller may work on: their own, or for staff another person's. */
const someReport = async (scene: Scene) => ownReport((await isStaff(scene)) ? { ...scene, actor: null } : scene);

/** A report by the caller, or by another account if the caller can't file one. */
async function ownReport({ test, actor }: Scene) {
  const body = { problem_type: 'Bug Report' as const, description: 'The page stays white.' };
  const own = actor === null ? null : await test.call(createReport, { token: actor.token, body });
  const { _id } = own?.status === 201 ? own.body.data.report : await fileReport(test, await makeMember(test));
  return { params: { id: _id } };
}

/** Creates an active warning; returns its id. */
async function warning(test: TestApp, accountId: string): Promise<string> {
  const decisionId = await warnedBy(test, accountId);
  const { id } = await test.db
    .selectFrom('sanction')
    .select('id')
    .where('decision_id', '=', decisionId)
    .executeTakeFirstOrThrow();
  return id;
}

/** An appeal of the other person. */
const someAppeal = async ({ test, other }: Scene) => ({ params: { id: await appealedBy(test, other.id) } });

/** A case about another person. */
/** A case of a member who was reported by another member. */
export async function someCase(test: TestApp) {
  const body = { problem_type: 'Harassment' as const, reportedUser: (await makeMember(test)).id };
  const { _id } = await fileReport(test, await makeMember(test), body);
  return { params: { id: await caseIdOf(test, _id) } };
}

/** A case that a colleague opened themselves. */
export const someOwnCase = { problem_type: 'Harassment', reason: 'The profile offers paid chats elsewhere.' };

const caseFilters = { list: 'open', priority: 'high', order: 'due' };

const newName = () => `Mine ${randomUUID()}`.slice(0, 40);

/** A list that the caller, or else the other person, has saved. */
const savedList =
  (screen: ViewScreen, filters: object) =>
  async ({ test, actor, other }: Scene) => {
    const { id: owner } = actor ?? other;
    const { id } = await test.db
      .insertInto('case_view')
      .values({
        screen,
        owner_id: owner,
        author_id: owner,
        name: newName(),
        filters: JSON.stringify(filters),
        created_at: test.clock.now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return { params: { id }, body: { name: newName(), filters } };
  };
const savedCases = savedList('cases', caseFilters);
const savedUsers = savedList('users', { status: 'active' });

/** The current version of a new template; returns its id. */
async function replyTemplate(test: TestApp): Promise<string> {
  const { id } = await test.db
    .insertInto('reply_template')
    .values({ version: 1, name: randomUUID(), body: 'Hi.', created_at: test.clock.now(), created_by: 'A test' })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Like `someCase`, but claimed by the caller if they may. */
async function claimedCase(scene: Scene) {
  const { test, actor } = scene;
  const request = await someCase(test);
  if (actor !== null && (await isStaff(scene))) await test.call(claimCase, { ...request, token: actor.token });
  return request;
}

/** Like `someReport`, after a status change by the caller if they may make one. */
async function changedReport(scene: Scene) {
  const { test, actor } = scene;
  const request = await someReport(scene);
  const body = { status: 'resolved' as const };
  if (actor !== null && (await isStaff(scene)))
    await test.call(changeReportStatus, { ...request, body, token: actor.token });
  return request;
}

/** An upload that the caller may use, if they may use any. */
const someUpload = async ({ test, actor, other }: Scene) => (await placeUpload(test, (actor ?? other).id)).publicId;

/** A pending picture of a member. */
async function waitingPicture(test: TestApp, accountId: string): Promise<string> {
  const { publicId } = await placeUpload(test, accountId);
  await test.db.deleteFrom('picture').where('account_id', '=', accountId).where('place', '=', 1).execute();
  const change = { state: 'pending' as const, place: 1, claimed_at: test.clock.now() };
  await test.db.updateTable('picture').set(change).where('public_id', '=', publicId).execute();
  return publicId;
}

/** Two additional pictures, the caller's only ones. */
async function twoPictures({ test, actor, other }: Scene): Promise<string[]> {
  const accountId = (actor ?? other).id;
  await test.db.deleteFrom('picture').where('account_id', '=', accountId).execute();
  const handles = [];
  for (const place of [1, 2]) {
    const { publicId } = await placeUpload(test, accountId);
    const change = { state: 'pending' as const, place, claimed_at: test.clock.now() };
    await test.db.updateTable('picture').set(change).where('public_id', '=', publicId).execute();
    handles.push(publicId);
  }
  return handles.toReversed();
}

/** A picture's URL as the parts of a request. */
export function mediaRequest(address: string): CallRequest {
  const { pathname, searchParams } = new URL(address, 'https://heartwood.test');
  return { params: { key: pathname.split('/').at(-1) ?? '' }, query: Object.fromEntries(searchParams) };
}

/** The URL of the caller's upload; an unknown one for callers who can't upload. */
async function ownMedia({ test, actor }: Scene): Promise<CallRequest> {
  const sent = actor && (await sendFile(test, actor, { bytes: await draw() }));
  return sent?.status === 201 ? mediaRequest(sent.body.data.url) : { params: { key: `${'x'.repeat(22)}.large` } };
}

const insightsRange = { from: '2026-06-01', to: '2026-06-14', by: 'day', compare: 'previous' };

/** A valid request for every endpoint of the contract. */
export const requests: Record<string, (scene: Scene) => CallRequest | Promise<CallRequest>> = {
  'POST /auth/register': () => ({
    body: { email: newAddress(), password, firstName: 'Rosa', lastName: 'Lind', acceptTerms: true },
  }),
  'DELETE /auth/register': () => ({}),
  'POST /auth/login': ({ actor, other }) => ({ body: { email: (actor ?? other).email, password } }),
  'POST /auth/refresh-token': ({ actor, other }) => ({ body: { refreshToken: (actor ?? other).refreshToken } }),
  'POST /auth/logout': () => ({}),
  'POST /auth/terms': () => ({ body: { version: termsVersion } }),
  'PUT /auth/language': () => ({ body: { language: 'de' } }),
  'POST /auth/verify-email': async ({ test }) => ({
    body: { token: (await registerNewcomer(test)).linkToken, password },
  }),
  'POST /auth/resend-verification': ({ actor, other }) => ({ body: { email: (actor ?? other).email } }),
  'POST /auth/forgot-password': ({ actor, other }) => ({ body: { email: (actor ?? other).email } }),
  'POST /auth/reset-password': async ({ test, actor, other }) => ({
    body: { token: await resetTokenFor(test, (actor ?? other).email), password: newPassword },
  }),
  'POST /auth/reset-password/methods': async ({ test, actor, other }) => ({
    body: { token: await resetTokenFor(test, (actor ?? other).email) },
  }),
  'POST /auth/change-password': () => ({ body: { currentPassword: password, password: newPassword } }),
  'POST /auth/change-email': () => ({ body: { email: newAddress(), password } }),
  'POST /auth/change-email/cancel': async ({ test }) => ({
    body: { token: (await askForChange(test, await withPassword(test))).cancel },
  }),
  'POST /auth/change-email/restore': async ({ test }) => ({
    body: { token: (await changeAddress(test, await withPassword(test))).undo, password, newPassword },
  }),
  'POST /auth/change-email/restore/stop': async ({ test }) => {
    const { email, undo } = await changeAddress(test, await withPassword(test));
    await test.call(restoreEmail, { body: { token: undo, password, newPassword } });
    return { body: { token: await mailedToken(test, email, 'stop') } };
  },
  'GET /auth/sessions': () => ({}),
  'DELETE /auth/sessions': () => ({ body: {} }),
  'DELETE /auth/sessions/{id}': ({ actor, other }) => ({ params: { id: (actor ?? other).sessionId }, body: {} }),
  'POST /admin/users/{id}/sessions/end': ({ other }) => ({
    params: { id: other.id },
    body: { reason: 'Lost a phone' },
  }),
  'DELETE /auth/account': () => ({ body: { password } }),
  'POST /auth/account/restore': async ({ test }) => ({ body: { token: await restoreHandle(test) } }),
  'POST /auth/export': () => ({ body: { password } }),
  'GET /auth/export/status': () => ({}),
  'GET /auth/export': async (scene) => {
    const { test, actor } = scene;
    if (actor !== null && !(await isStaff(scene)))
      await test.call(askForExport, { token: actor.token, body: { password } });
    await test.drain('takeout.prepare');
    return { headers: { [currentPasswordHeader]: encodeURIComponent(password) } };
  },
  'GET /auth/profile': () => ({}),
  'POST /auth/complete-profile': () => ({ body: profile }),
  'PUT /auth/edit-profile': () => ({ body: profile }),
  'PUT /auth/show-last-active': () => ({ body: { showLastActive: false } }),
  'PUT /auth/location': () => ({ body: { latitude: 48.2082, longitude: 16.3738 } }),
  'GET /places': () => ({ query: { search: 'pra' } }),
  'GET /auth/user/{id}': ({ other }) => ({ params: { id: other.id } }),
  'GET /auth/users': () => ({ query: { page: '1', limit: '20' } }),
  'GET /auth/search-users': () => ({ query: { search: 'Member' } }),
  'GET /admin/users/{id}': ({ other }) => ({ params: { id: other.id } }),
  'PATCH /admin/users/{id}': ({ other }) => ({
    params: { id: other.id },
    body: { bio: 'Checked.', reason: 'Asked by its owner' },
  }),
  'POST /admin/users/{id}/reveal': ({ other }) => ({
    params: { id: other.id },
    body: { reason: 'Asked for their receipt' },
  }),
  'GET /admin/users/{id}/as-member': ({ other }) => ({ params: { id: other.id } }),
  'GET /admin/users/{id}/visibility': ({ other }) => ({ params: { id: other.id } }),
  'POST /admin/users/find': ({ other }) => ({ body: { terms: [other.id] } }),
  'GET /admin/users/{id}/file': ({ other }) => ({ params: { id: other.id } }),
  'POST /admin/users/{id}/notes': ({ other }) => ({ params: { id: other.id }, body: { text: 'Called on Monday.' } }),
  'PATCH /admin/notes/{id}': async ({ test, actor, other }) => ({
    params: { id: await noteAbout(test, other.id, (actor ?? other).id) },
    body: { text: 'Called on Tuesday.' },
  }),
  'PATCH /admin/users/{id}/tags': async ({ test, other }) => ({
    params: { id: other.id },
    body: { add: [await newTag(test)] },
  }),
  'GET /admin/tags': () => ({}),
  'POST /admin/tags': async ({ test }) => {
    // The list has room for a hundred.
    await test.db.updateTable('user_tag').set({ retired_at: test.clock.now() }).execute();
    return { body: { name: `Tag ${randomUUID()}`.slice(0, 40) } };
  },
  'PATCH /admin/tags/{id}': async ({ test }) => ({
    params: { id: await newTag(test) },
    body: { name: `Other ${randomUUID()}`.slice(0, 40) },
  }),
  'POST /admin/tags/{id}/merge': async ({ test }) => ({
    params: { id: await newTag(test) },
    body: { into: await newTag(test) },
  }),
  'POST /admin/tags/{id}/retire': async ({ test }) => ({ params: { id: await newTag(test) } }),
  'POST /admin/users/{id}/cases': ({ other }) => ({ params: { id: other.id }, body: someOwnCase }),
  'POST /admin/users/{id}/messages': async ({ test, other }) => {
    await test.db.updateTable('account').set({ leaving_since: null }).where('id', '=', other.id).execute();
    return { params: { id: other.id }, body: { text: 'Is this still you?' } };
  },
  'GET /admin/decision-figures': () => ({}),
  'GET /admin/cases/export': () => ({ query: { rule: 'none at all', reason: 'For the yearly figures' } }),
  'GET /admin/own-cases': () => ({}),
  'GET /admin/users/export': () => ({ query: { search: 'Nobody at all', reason: 'For the yearly figures' } }),
  'POST /admin/users/export': ({ other }) => ({ body: { ids: [other.id], reason: 'For the yearly figures' } }),
  'POST /admin/users/addresses': ({ other }) => ({ body: { ids: [other.id], reason: 'A leak of our data' } }),
  'POST /admin/approvals': () => ({
    body: { kind: 'users.export', columns: ['id'], filters: {}, reason: 'For the yearly figures' },
  }),
  'GET /admin/approvals': () => ({}),
  'POST /admin/approvals/{id}/decision': async ({ test, other }) => ({
    params: { id: await approvalOf(test, other.id) },
    body: { verdict: 'approved' },
  }),
  'POST /admin/users/bulk/preview': ({ other }) => ({ body: { selection: { ids: [other.id] }, kind: 'note' } }),
  'POST /admin/approvals/{id}/send': async ({ test, actor }) => ({
    params: { id: await messageApprovalOf(test, (actor ?? (await makeMember(test))).id, (await makeMember(test)).id) },
  }),
  'POST /admin/users/bulk/approvals': async ({ test }) => ({
    body: {
      selection: { ids: [(await makeMember(test)).id] },
      act: { kind: 'notice', text: 'We are closed on Monday.' },
      reason: 'The holidays',
    },
  }),
  'POST /admin/users/bulk': async ({ test }) => ({
    body: {
      selection: { ids: [(await makeMember(test)).id] },
      act: { kind: 'note', text: 'Called on Monday.' },
      reason: 'The telephone campaign',
    },
  }),
  'GET /admin/bulk-acts/{id}': async ({ test, actor, other }) => ({
    params: { id: await bulkActOf(test, (actor ?? other).id) },
  }),
  'POST /admin/bulk-acts/{id}/cancel': async ({ test, actor, other }) => ({
    params: { id: await bulkActOf(test, (actor ?? other).id) },
  }),
  'GET /admin/matching': () => ({}),
  'GET /admin/insights/series': () => ({ query: insightsRange }),
  'GET /admin/insights/revenue': () => ({ query: insightsRange }),
  'GET /admin/insights/safety': () => ({ query: insightsRange }),
  'GET /admin/insights/funnel': () => ({ query: { month: '2026-05' } }),
  'GET /admin/insights/cohorts': () => ({}),
  'GET /admin/insights/mail': () => ({}),
  'PUT /admin/insights/mail': () => ({ body: { isWanted: true } }),
  'POST /admin/matching/explain': async ({ test, other }) => ({
    body: { viewerId: other.id, personId: (await makeMember(test)).id, reason: 'Asked why they see no one' },
  }),
  'GET /admin/operations': () => ({}),
  'POST /admin/mail/retry': () => ({ body: {} }),
  'POST /admin/jobs/retry': () => ({ body: { task: 'mail.send' } }),
  'GET /admin/team': () => ({}),
  'GET /admin/audit': () => ({ query: { page: '1' } }),
  'GET /admin/audit/export': () => ({ query: { action: 'rule.changed', reason: 'For the yearly figures' } }),
  'GET /admin/audit/check': () => ({}),
  'POST /admin/audit/check': () => ({}),
  'GET /admin/statistics': () => ({}),
  'POST /blocks/{userId}': ({ other }) => ({ params: { userId: other.id } }),
  'DELETE /blocks/{userId}': ({ other }) => ({ params: { userId: other.id } }),
  'GET /blocks': () => ({}),
  'POST /uploads': async () => ({ file: { bytes: await draw() } }),
  'GET /media/{key}': ownMedia,
  'PUT /auth/upload-profile-picture': async (scene) => ({
    body: { imageData: { publicId: await someUpload(scene) } },
  }),
  'PUT /auth/upload-pictures': async (scene) => ({
    body: { imagesData: [{ publicId: await someUpload(scene) }] },
  }),
  'PUT /auth/pictures/order': async (scene) => ({ body: { publicIds: await twoPictures(scene) } }),
  'DELETE /auth/picture/{publicId}': async (scene) => ({
    params: { publicId: await someUpload(scene) },
  }),
  'DELETE /auth/delete-profile-picture': () => ({}),
  'GET /admin/pictures': () => ({ query: { state: 'pending' } }),
  'POST /admin/pictures/{publicId}/decision': async ({ test, other }) => ({
    params: { publicId: await waitingPicture(test, other.id) },
    body: { verdict: 'approved' },
  }),
  'GET /auth/file': () => ({}),
  ...ageRequests,
  ...premiumRequests,
  ...selfiesRequests,
  ...outsidersRequests,
  ...emergencyRequests,
  ...qualityRequests,
  ...serviceRequests,
  ...helpRequests,
  ...likesRequests,
  ...controlRequests,
  ...messagesRequests,
  ...datesRequests,
  ...factorsRequests,
  ...identitiesRequests,
  ...notificationsRequests,
  'GET /compatibility/answers': () => ({}),
  'PUT /compatibility/answers/{questionId}': () => ({
    params: { questionId: 'tidiness' },
    body: { answer: 'relaxed', accepted: ['relaxed', 'lived-in'], importance: 'somewhat' },
  }),
  'DELETE /compatibility/answers/{questionId}': () => ({ params: { questionId: 'tidiness' } }),
  'GET /discovery/preferences': () => ({}),
  'PUT /discovery/preferences': () => ({ body: { age: { min: 25, max: 40, required: true }, distance: null } }),
  'POST /discovery/count': () => ({ body: { age: { min: 25, max: 40, required: true } } }),
  'POST /reports/create-reports': ({ other }) => ({
    body: { problem_type: 'Harassment', description: 'Writes every hour.', reportedUser: other.id },
  }),
  'GET /reports/my-reports': () => ({ query: { page: '1' } }),
  'GET /reports/reports': () => ({ query: { status: 'pending' } }),
  'GET /reports/report/stats/statistics': () => ({}),
  'GET /reports/report/{id}': someReport,
  'POST /reports/report/{id}/read': ownReport,
  'POST /reports/report/{id}/reply': async (scene) => ({
    ...(await someReport(scene)),
    body: { message: 'Thank you.' },
  }),
  'GET /reports/report/{id}/conversation': someReport,
  'GET /reports/report/{id}/replies': someReport,
  'PUT /reports/report/{id}/status': async (scene) => ({
    ...(await someReport(scene)),
    body: { status: 'in_progress' },
  }),
  'DELETE /reports/delete-report/{id}': someReport,
  'GET /admin/reports/{id}': someReport,
  'PATCH /admin/reports/{id}': async (scene) => ({
    ...(await someReport(scene)),
    body: { priority: 'critical', reason: 'Asked by phone' },
  }),
  'POST /admin/reports/{id}/undo': changedReport,
  'GET /admin/cases': () => ({ query: { view: 'unclaimed' } }),
  'GET /admin/case-views': () => ({}),
  'POST /admin/case-views': () => ({ body: { name: newName(), filters: caseFilters } }),
  'PUT /admin/case-views/{id}': savedCases,
  'DELETE /admin/case-views/{id}': async (scene) => ({ params: (await savedCases(scene)).params }),
  'GET /admin/user-views': () => ({}),
  'POST /admin/user-views': () => ({ body: { name: newName(), filters: { status: 'active' } } }),
  'PUT /admin/user-views/{id}': savedUsers,
  'DELETE /admin/user-views/{id}': async (scene) => ({ params: (await savedUsers(scene)).params }),
  'GET /admin/start': () => ({}),
  'GET /admin/queue': () => ({}),
  'POST /admin/start/seen': ({ test }) => ({ body: { until: test.clock.now().toISOString() } }),
  'GET /admin/case-times': () => ({}),
  'GET /admin/cases/{id}': ({ test }) => someCase(test),
  'POST /admin/cases/{id}/notes': async ({ test }) => ({ ...(await someCase(test)), body: { text: 'Seen before.' } }),
  'GET /admin/colleagues': () => ({ query: { search: 'a' } }),
  'POST /admin/cases/{id}/claim': ({ test }) => someCase(test),
  'POST /admin/cases/{id}/heartbeat': claimedCase,
  'POST /admin/cases/{id}/steps': async ({ test }) => ({ ...(await someCase(test)), body: { step: 'assign' } }),
  'POST /admin/cases/{id}/release-hold': async ({ test }) => ({
    params: { id: await holdAccount(test, await makeMember(test)) },
    body: { reason: 'Known from before' },
  }),
  'POST /admin/cases/{id}/decisions': async ({ test }) => ({
    ...(await someCase(test)),
    body: { outcome: 'no_violation' },
  }),
  'POST /admin/sanctions/{id}/revoke': async ({ test, other }) => ({
    params: { id: await warning(test, other.id) },
    body: { reason: 'A mistake' },
  }),
  'GET /admin/rules': () => ({}),
  'PUT /admin/rules/{id}': async ({ test }) => ({
    params: { id: await currentRuleId(test) },
    body: { title: 'Respect', text: 'No harassment at all.' },
  }),
  'GET /admin/automatic-rules': () => ({}),
  'POST /admin/automatic-rules': async ({ test }) => {
    // The list has room for fifty.
    await test.db.updateTable('automatic_rule').set({ retired_at: test.clock.now() }).execute();
    return { body: ruleBody(test) };
  },
  'PUT /admin/automatic-rules/{id}': async ({ test }) => ({
    params: { id: await newRule(test) },
    body: { ...ruleBody(test), version: 1 },
  }),
  'DELETE /admin/automatic-rules/{id}': async ({ test }) => ({ params: { id: await newRule(test) } }),
  'POST /admin/automatic-rules/{id}/dry-run': async ({ test }) => ({ params: { id: await newRule(test) } }),
  'POST /admin/automatic-rules/{id}/switch': async ({ test }) => ({
    params: { id: await newRule(test) },
    body: { isOn: false },
  }),
  'GET /admin/reply-templates': () => ({}),
  'POST /admin/reply-templates': () => ({ body: { name: `Thanks ${randomUUID()}`, text: 'Hi {firstName}, thanks.' } }),
  'PUT /admin/reply-templates/{id}': async ({ test }) => ({
    params: { id: await replyTemplate(test) },
    body: { name: `Thank you ${randomUUID()}`, text: 'Hi {firstName}, thank you.' },
  }),
  'DELETE /admin/reply-templates/{id}': async ({ test }) => ({ params: { id: await replyTemplate(test) } }),
  'GET /notices': () => ({}),
  'POST /notices/{id}/acknowledge': async ({ test, actor, other }) => ({
    params: { id: await warnedBy(test, (actor ?? other).id) },
  }),
  'POST /appeals': async ({ test, actor, other }) => ({
    body: { decisionId: await warnedBy(test, (actor ?? other).id), text: 'It was a joke.' },
  }),
  'GET /appeals/report/{id}': ownReport,
  'POST /appeals/{id}/withdraw': async ({ test, actor, other }) => ({
    params: { id: await appealedBy(test, (actor ?? other).id) },
  }),
  'POST /appeals/link/decision': async ({ test }) => ({ body: { token: await appealTokenOf(test) } }),
  'POST /appeals/link': async ({ test }) => ({
    body: { token: await appealTokenOf(test), text: 'It was a joke.' },
  }),
  'GET /admin/appeals': () => ({}),
  'GET /admin/appeals/{id}': someAppeal,
  'POST /admin/appeals/{id}/review': someAppeal,
  'POST /admin/appeals/{id}/decision': async (scene) => ({
    ...(await someAppeal(scene)),
    body: { outcome: 'upheld', reasons: 'The messages were insults, and the person had asked for silence.' },
  }),
  'GET /config': () => ({}),
  'GET /dev/outbox': ({ other }) => ({ query: { to: other.email } }),
};

/** The request for `endpoint`; fails if none is defined. */
export async function requestFor(endpoint: EndpointSpec, scene: Scene): Promise<CallRequest> {
  const make = requests[callName(endpoint)];
  if (make === undefined)
    throw new Error(`write a request for ${callName(endpoint)} in server/test/guards/requests.ts or cases/`);
  return await make(scene);
}

/** Sends `request` as the scene's actor; the answer is checked against the contract. */
export function send(scene: Scene, endpoint: EndpointSpec, request: CallRequest, headers: Record<string, string> = {}) {
  const { test, actor } = scene;
  return test.call(endpoint, {
    ...request,
    headers: { ...request.headers, ...headers },
    ...(actor === null ? {} : { token: actor.token }),
  });
}
