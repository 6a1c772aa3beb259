import { randomUUID } from 'node:crypto';
import { logout } from '#contract/auth/session.ts';
import { currentPasswordHeader } from '#contract/takeout.ts';
import { makeMember } from '../factories.ts';
import { placeUpload, upload, uploadFurther } from '../pictures.ts';
import { appealedBy, fileReport, warnedBy } from '../moderation/reports.ts';
import { registerNewcomer, mediaRequest, someOwnCase, type CallRequest, type Scene } from './requests.ts';
import {
  newAddress,
  newPassword,
  allStaff,
  completed,
  everyone,
  memberOnly,
  permitted,
  row,
  type Row,
  signedIn,
  staffWith,
} from './people.ts';
import { factorsRows } from './cases/factors.ts';
import { helpRows } from './cases/help.ts';
import { identitiesRows } from './cases/identities.ts';
import { datesRows } from './cases/dates.ts';
import { controlRows } from './cases/control.ts';
import { likesRows, messagesRows } from './cases/matching.ts';
import { notificationsRows } from './cases/notifications.ts';
import { outsidersRows } from './cases/outsiders.ts';
import { premiumRows } from './cases/premium.ts';
import { emergencyRows } from './cases/emergencies.ts';
import { ageRows } from './cases/age.ts';
import { qualityRows } from './cases/quality.ts';
import { serviceRows } from './cases/service.ts';
import { selfiesRows } from './cases/selfies.ts';

/** An unknown account, which must get the same answer as any other. */
const byUnknownPerson = () => ({ params: { userId: randomUUID() } });

/** The other person's report about the caller, which must stay hidden. */
async function anothersReport({ test, actor, other }: Scene): Promise<CallRequest> {
  const { _id } = await fileReport(test, other, actor === null ? {} : { reportedUser: actor.id });
  return { params: { id: _id } };
}

/** A warning to the other person. */
const anothersWarning = async ({ test, other }: Scene) => ({ params: { id: await warnedBy(test, other.id) } });

/** A decision about the other person, and their appeal. */
const anothersDecision = async ({ test, other }: Scene) => ({
  body: { decisionId: await warnedBy(test, other.id), text: 'It was a joke.' },
});
const anothersAppeal = async ({ test, other }: Scene) => ({ params: { id: await appealedBy(test, other.id) } });

/** Another account's upload, by the handle that only its owner received. */
const anothersUpload = async ({ test, other }: Scene) => (await placeUpload(test, other.id)).publicId;

/** Another account's token of another kind, in place of the token from an emailed link. */
const anothersToken = ({ other }: Scene) => ({ body: { token: other.refreshToken } });

/** Another account's picture with the caller's signature. */
async function anothersMedia({ test, actor, other }: Scene): Promise<CallRequest> {
  const theirs = mediaRequest((await upload(test, other)).url);
  return actor === null ? theirs : { ...theirs, query: mediaRequest((await upload(test, actor)).url).query ?? {} };
}

/** Billing sees only reports about payments, which these are not. */
const reportReaders = { ...staffWith('reports.list', 200, 404), billing: 404 };

/** Who may call which endpoint: the table of access rules for every endpoint. */
export const accessMatrix: Record<string, Row> = {
  'POST /auth/register': { cells: everyone(201) },
  'DELETE /auth/register': { cells: { ...signedIn(409), unverified: 200 } },
  'POST /auth/login': row({ ...everyone(200), deactivated: 403, leaving: 403 }, 401, ({ other }) => ({
    body: { email: other.email, password: newPassword },
  })),
  'POST /auth/verify-email': row(everyone(200), 400, async ({ test }) => ({
    body: { code: (await registerNewcomer(test)).code },
  })),
  'POST /auth/resend-verification': row(everyone(200), 200, ({ other }) => ({ body: { email: other.email } })),
  'POST /auth/refresh-token': row(
    { ...everyone(200), deactivated: 401, leaving: 401 },
    401,
    async ({ test, other }) => {
      await test.call(logout, { token: other.token });
      return { body: { refreshToken: other.refreshToken } };
    },
  ),
  'POST /auth/forgot-password': row(everyone(200), 200, ({ other }) => ({ body: { email: other.email } })),
  'POST /auth/reset-password': row(everyone(200), 400, ({ other }) => ({
    body: { token: other.refreshToken, password: newPassword },
  })),
  'POST /auth/reset-password/methods': row(everyone(200), 400, anothersToken),
  'POST /auth/logout': { cells: signedIn(200) },
  'POST /auth/terms': { cells: signedIn(200) },
  'PUT /auth/language': { cells: signedIn(200) },
  'POST /auth/change-password': row(signedIn(200), 403, () => ({
    body: { currentPassword: 'not my own one', password: newPassword },
  })),
  'POST /auth/change-email': row({ ...signedIn(200), unverified: 403 }, 403, () => ({
    body: { email: newAddress(), password: 'not my own one' },
  })),
  'POST /auth/change-email/cancel': row(everyone(200), 400, anothersToken),
  'POST /auth/change-email/restore': row(everyone(200), 400, anothersToken),
  'POST /auth/change-email/restore/stop': row(everyone(200), 400, anothersToken),
  'GET /auth/sessions': { cells: signedIn(200) },
  'DELETE /auth/sessions': { cells: signedIn(200) },
  'DELETE /auth/sessions/{id}': row(signedIn(200), 404, ({ other }) => ({ params: { id: other.sessionId } })),
  'POST /admin/users/{id}/sessions/end': row(permitted('users.secure', 200), 403, ({ other }) => ({
    params: { id: other.id },
    body: { reason: 'I say so' },
  })),
  'DELETE /auth/account': row({ ...signedIn(200), ...allStaff(403) }, 403, () => ({
    body: { password: 'not my own one' },
  })),
  'POST /auth/account/restore': row(everyone(200), 400, ({ other }) => ({ body: { token: other.refreshToken } })),
  'POST /auth/export': row(memberOnly(200), 403, () => ({ body: { password: 'not my own one' } })),
  'GET /auth/export/status': { cells: memberOnly(200) },
  'GET /auth/export': row(memberOnly(200), 403, () => ({ headers: { [currentPasswordHeader]: 'not my own one' } })),
  'GET /auth/profile': { cells: signedIn(200) },
  'POST /uploads': { cells: signedIn(201) },
  'GET /media/{key}': row(signedIn(200), 401, anothersMedia),
  'PUT /auth/upload-profile-picture': row(signedIn(200), 404, async (scene) => ({
    body: { imageData: { publicId: await anothersUpload(scene) } },
  })),
  'PUT /auth/upload-pictures': row(signedIn(200), 404, async (scene) => ({
    body: { imagesData: [{ publicId: await anothersUpload(scene) }] },
  })),
  'PUT /auth/pictures/order': row(signedIn(200), 409, async ({ test, other }) => ({
    body: { publicIds: await uploadFurther(test, other, 2) },
  })),
  'DELETE /auth/picture/{publicId}': row(signedIn(200), 404, async (scene) => ({
    params: { publicId: await anothersUpload(scene) },
  })),
  'DELETE /auth/delete-profile-picture': { cells: signedIn(200) },
  'GET /admin/pictures': { cells: permitted('pictures.review', 200) },
  'POST /admin/pictures/{publicId}/decision': row(permitted('pictures.review', 200), 403, async (scene) => ({
    params: { publicId: await anothersUpload(scene) },
    body: { verdict: 'approved' },
  })),
  'GET /auth/file': { cells: memberOnly(200) },
  ...ageRows,
  ...premiumRows,
  ...selfiesRows,
  ...outsidersRows,
  ...emergencyRows,
  ...qualityRows,
  ...serviceRows,
  ...helpRows,
  ...likesRows,
  ...controlRows,
  ...messagesRows,
  ...datesRows,
  ...factorsRows,
  ...identitiesRows,
  ...notificationsRows,
  'POST /auth/complete-profile': { cells: signedIn(200) },
  'PUT /auth/edit-profile': row(signedIn(200), 200, ({ other }) => ({
    body: { _id: other.id, id: other.id, userId: other.id, bio: 'Mine.' },
  })),
  'PUT /auth/show-last-active': { cells: signedIn(200) },
  'PUT /auth/location': { cells: signedIn(200) },
  'GET /places': { cells: signedIn(200) },
  'GET /auth/user/{id}': row({ ...completed(200), analyst: 403 }, 404, async ({ test }) => ({
    params: { id: (await makeMember(test, { leaving: true })).id },
  })),
  'GET /auth/users': { cells: permitted('users.list', 200) },
  'GET /auth/search-users': { cells: { ...completed(200), analyst: 403 } },
  'GET /admin/users/{id}': { cells: permitted('users.list', 200) },
  'PATCH /admin/users/{id}': row(permitted('users.edit', 200), 403, () => ({
    params: { id: randomUUID() },
    body: { isActive: false, reason: 'I say so' },
  })),
  'POST /admin/users/{id}/reveal': row(permitted('users.reveal', 200), 403, ({ other }) => ({
    params: { id: other.id },
    body: { reason: 'I say so' },
  })),
  'GET /admin/users/{id}/as-member': { cells: permitted('users.visibility', 200) },
  'GET /admin/users/{id}/visibility': { cells: permitted('users.visibility', 200) },
  'POST /admin/users/find': { cells: permitted('users.list', 200) },
  'GET /admin/users/{id}/file': { cells: permitted('users.list', 200) },
  'POST /admin/users/{id}/notes': row(permitted('users.note', 201), 403, ({ other }) => ({
    params: { id: other.id },
    body: { text: 'Not for them.' },
  })),
  'PATCH /admin/notes/{id}': { cells: permitted('users.note', 200) },
  'PATCH /admin/users/{id}/tags': row(permitted('users.note', 200), 403, ({ other }) => ({
    params: { id: other.id },
    body: {},
  })),
  'GET /admin/tags': { cells: permitted('users.list', 200) },
  'POST /admin/tags': { cells: permitted('tags.manage', 201) },
  'PATCH /admin/tags/{id}': { cells: permitted('tags.manage', 200) },
  'POST /admin/tags/{id}/merge': { cells: permitted('tags.manage', 200) },
  'POST /admin/tags/{id}/retire': { cells: permitted('tags.manage', 200) },
  'POST /admin/users/{id}/cases': row(permitted('cases.handle', 201), 403, ({ other }) => ({
    params: { id: other.id },
    body: someOwnCase,
  })),
  'POST /admin/users/{id}/messages': row(permitted('reports.handle', 201), 403, ({ other }) => ({
    params: { id: other.id },
    body: { text: 'Hello!' },
  })),
  'GET /admin/decision-figures': { cells: permitted('cases.list', 200) },
  'GET /admin/cases/export': { cells: permitted('cases.lead', 200) },
  'GET /admin/own-cases': { cells: permitted('cases.lead', 200) },
  'GET /admin/users/export': { cells: permitted('users.export', 200) },
  'POST /admin/users/export': { cells: permitted('users.export', 200) },
  'POST /admin/users/addresses': { cells: permitted('users.export', 200) },
  'POST /admin/approvals': { cells: permitted('users.export', 201) },
  'GET /admin/approvals': { cells: permitted('cases.lead', 200) },
  'POST /admin/approvals/{id}/send': { cells: permitted('cases.lead', 201) },
  'POST /admin/users/bulk/approvals': { cells: permitted('cases.lead', 201) },
  'POST /admin/approvals/{id}/decision': { cells: permitted('users.export', 200) },
  'POST /admin/users/bulk/preview': { cells: permitted('users.note', 200) },
  'POST /admin/users/bulk': { cells: permitted('users.note', 201) },
  'GET /admin/bulk-acts/{id}': { cells: permitted('users.note', 200) },
  'POST /admin/bulk-acts/{id}/cancel': { cells: permitted('users.note', 200) },
  'GET /admin/matching': { cells: permitted('matching.view', 200) },
  'GET /admin/insights/series': { cells: permitted('dashboard.view', 200) },
  'GET /admin/insights/revenue': { cells: permitted('revenue.view', 200) },
  'GET /admin/insights/safety': { cells: permitted('safety.view', 200) },
  'GET /admin/insights/funnel': { cells: permitted('dashboard.view', 200) },
  'GET /admin/insights/cohorts': { cells: permitted('dashboard.view', 200) },
  'GET /admin/insights/mail': { cells: permitted('dashboard.view', 200) },
  'PUT /admin/insights/mail': { cells: permitted('dashboard.view', 200) },
  'POST /admin/matching/explain': row(permitted('matching.explain', 200), 403, ({ other }) => ({
    body: { viewerId: other.id, personId: randomUUID(), reason: 'I say so' },
  })),
  'GET /admin/operations': { cells: permitted('operations.view', 200) },
  'POST /admin/mail/retry': { cells: permitted('operations.retry', 200) },
  'POST /admin/jobs/retry': { cells: permitted('operations.retry', 200) },
  'GET /admin/team': { cells: permitted('team.view', 200) },
  'GET /admin/audit': { cells: permitted('audit.view', 200) },
  'GET /admin/audit/export': { cells: permitted('audit.view', 200) },
  'GET /admin/audit/check': { cells: permitted('audit.view', 200) },
  'POST /admin/audit/check': { cells: permitted('audit.verify', 200) },
  'GET /admin/start': { cells: permitted('dashboard.view', 200) },
  'GET /admin/queue': { cells: permitted('dashboard.view', 200) },
  'POST /admin/start/seen': { cells: permitted('dashboard.view', 200) },
  'GET /admin/statistics': { cells: permitted('dashboard.view', 200) },
  'POST /blocks/{userId}': row(memberOnly(201), 201, byUnknownPerson),
  'DELETE /blocks/{userId}': row(memberOnly(200), 200, byUnknownPerson),
  'GET /blocks': { cells: memberOnly(200) },
  'GET /compatibility/answers': { cells: memberOnly(200) },
  'PUT /compatibility/answers/{questionId}': { cells: memberOnly(200) },
  'DELETE /compatibility/answers/{questionId}': { cells: memberOnly(200) },
  'GET /discovery/preferences': { cells: memberOnly(200) },
  'PUT /discovery/preferences': { cells: memberOnly(200) },
  'POST /discovery/count': { cells: memberOnly(200) },
  'POST /reports/create-reports': { cells: signedIn(201) },
  'GET /reports/my-reports': { cells: signedIn(200) },
  'GET /reports/reports': { cells: permitted('reports.list', 200) },
  'GET /reports/report/stats/statistics': { cells: permitted('reports.list', 200) },
  'GET /reports/report/{id}': row({ ...signedIn(200), ...reportReaders }, 404, anothersReport),
  'POST /reports/report/{id}/read': row(signedIn(200), 404, anothersReport),
  'POST /reports/report/{id}/reply': row(
    { ...signedIn(201), ...staffWith('reports.handle', 201, 404), billing: 404 },
    404,
    async (scene) => ({ ...(await anothersReport(scene)), body: { message: 'Not mine.' } }),
  ),
  'GET /reports/report/{id}/conversation': row({ ...signedIn(200), ...reportReaders }, 404, anothersReport),
  'GET /reports/report/{id}/replies': row({ ...signedIn(200), ...reportReaders }, 404, anothersReport),
  'PUT /reports/report/{id}/status': { cells: { ...permitted('reports.handle', 200), billing: 404 } },
  'DELETE /reports/delete-report/{id}': { cells: permitted('reports.delete', 200) },
  'GET /admin/reports/{id}': { cells: { ...permitted('reports.list', 200), billing: 404 } },
  'PATCH /admin/reports/{id}': { cells: { ...permitted('reports.handle', 200), billing: 404 } },
  'POST /admin/reports/{id}/undo': { cells: { ...permitted('reports.handle', 200), billing: 404 } },
  'GET /admin/cases': { cells: permitted('cases.list', 200) },
  'GET /admin/case-views': { cells: permitted('cases.list', 200) },
  'POST /admin/case-views': { cells: permitted('cases.list', 201) },
  'PUT /admin/case-views/{id}': { cells: permitted('cases.list', 200) },
  'DELETE /admin/case-views/{id}': { cells: permitted('cases.list', 200) },
  'GET /admin/user-views': { cells: permitted('users.list', 200) },
  'POST /admin/user-views': { cells: permitted('users.list', 201) },
  'PUT /admin/user-views/{id}': { cells: permitted('users.list', 200) },
  'DELETE /admin/user-views/{id}': { cells: permitted('users.list', 200) },
  'GET /admin/case-times': { cells: permitted('cases.list', 200) },
  'GET /admin/cases/{id}': { cells: permitted('cases.list', 200) },
  'POST /admin/cases/{id}/notes': { cells: permitted('cases.handle', 201) },
  'GET /admin/colleagues': { cells: permitted('cases.lead', 200) },
  'POST /admin/cases/{id}/claim': { cells: permitted('cases.handle', 200) },
  'POST /admin/cases/{id}/heartbeat': { cells: permitted('cases.handle', 200) },
  'POST /admin/cases/{id}/steps': { cells: permitted('cases.handle', 200) },
  'POST /admin/cases/{id}/release-hold': { cells: permitted('cases.handle', 200) },
  'POST /admin/cases/{id}/decisions': { cells: permitted('cases.handle', 201) },
  'POST /admin/sanctions/{id}/revoke': { cells: permitted('sanctions.revoke', 200) },
  'GET /admin/rules': { cells: permitted('cases.list', 200) },
  'PUT /admin/rules/{id}': { cells: permitted('rules.edit', 200) },
  'GET /admin/automatic-rules': { cells: permitted('rules.edit', 200) },
  'POST /admin/automatic-rules': { cells: permitted('rules.edit', 201) },
  'PUT /admin/automatic-rules/{id}': { cells: permitted('rules.edit', 200) },
  'DELETE /admin/automatic-rules/{id}': { cells: permitted('rules.edit', 200) },
  'POST /admin/automatic-rules/{id}/dry-run': { cells: permitted('rules.edit', 200) },
  'POST /admin/automatic-rules/{id}/switch': { cells: permitted('rules.edit', 200) },
  'GET /admin/reply-templates': { cells: permitted('reports.list', 200) },
  'POST /admin/reply-templates': { cells: permitted('rules.edit', 201) },
  'PUT /admin/reply-templates/{id}': { cells: permitted('rules.edit', 200) },
  'DELETE /admin/reply-templates/{id}': { cells: permitted('rules.edit', 200) },
  'GET /notices': { cells: signedIn(200) },
  'POST /appeals': row(signedIn(201), 404, anothersDecision),
  'GET /appeals/report/{id}': row(signedIn(200), 404, anothersReport),
  'POST /appeals/{id}/withdraw': row(signedIn(200), 404, anothersAppeal),
  'POST /appeals/link/decision': row(everyone(200), 404, anothersToken),
  'POST /appeals/link': row(everyone(201), 404, ({ other }) => ({
    body: { token: other.refreshToken, text: 'It was a joke.' },
  })),
  'GET /admin/appeals': { cells: permitted('cases.list', 200) },
  'GET /admin/appeals/{id}': { cells: permitted('cases.list', 200) },
  'POST /admin/appeals/{id}/review': { cells: permitted('appeals.decide', 200) },
  'POST /admin/appeals/{id}/decision': { cells: permitted('appeals.decide', 201) },
  'POST /notices/{id}/acknowledge': row(signedIn(200), 404, anothersWarning),
  'GET /config': { cells: everyone(200) },
  'GET /dev/outbox': { cells: everyone(200) },
};

/** Staff endpoints that are not about a particular person. All others are refused to colleagues who are involved. */
export const aboutNoOne: readonly string[] = [
  'GET /auth/users',
  // Finds no one by address if the caller is involved with them.
  'POST /admin/users/find',
  // Everyone who may read the list may also read a user without private data.
  'GET /admin/users/{id}',
  // It is empty for involved callers, because the page of the user is open to them.
  'GET /admin/users/{id}/file',
  'GET /admin/tags',
  'POST /admin/tags',
  'PATCH /admin/tags/{id}',
  'POST /admin/tags/{id}/merge',
  'POST /admin/tags/{id}/retire',
  'GET /admin/users/export',
  // Contains nothing private about people the caller is involved with.
  'POST /admin/users/export',
  'POST /admin/users/addresses',
  'POST /admin/approvals',
  'GET /admin/approvals',
  'POST /admin/approvals/{id}/decision',
  // Leave out people the caller is involved with.
  'POST /admin/users/bulk/preview',
  'POST /admin/users/bulk',
  'POST /admin/users/bulk/approvals',
  'POST /admin/approvals/{id}/send',
  'GET /admin/bulk-acts/{id}',
  'POST /admin/bulk-acts/{id}/cancel',
  'GET /admin/pictures',
  'GET /admin/selfies',
  'GET /admin/matching',
  'GET /admin/insights/series',
  'GET /admin/insights/revenue',
  'GET /admin/insights/safety',
  'GET /admin/insights/funnel',
  'GET /admin/insights/cohorts',
  'GET /admin/insights/mail',
  'PUT /admin/insights/mail',
  'GET /admin/operations',
  'POST /admin/mail/retry',
  'POST /admin/jobs/retry',
  'GET /admin/team',
  'GET /admin/audit',
  'GET /admin/audit/export',
  'GET /admin/audit/check',
  'POST /admin/audit/check',
  // Leaves out cases and reports to which the caller is a party.
  'GET /admin/start',
  'POST /admin/start/seen',
  'GET /admin/queue',
  'GET /admin/statistics',
  'GET /admin/revenue',
  'POST /dev/payments/clock',
  'GET /reports/reports',
  'GET /reports/report/stats/statistics',
  'GET /admin/cases',
  'GET /admin/case-views',
  'POST /admin/case-views',
  'PUT /admin/case-views/{id}',
  'DELETE /admin/case-views/{id}',
  'GET /admin/user-views',
  'POST /admin/user-views',
  'PUT /admin/user-views/{id}',
  'DELETE /admin/user-views/{id}',
  'GET /admin/case-times',
  'GET /admin/decision-figures',
  'GET /admin/cases/export',
  'GET /admin/own-cases',
  'GET /admin/colleagues',
  'GET /admin/rules',
  'PUT /admin/rules/{id}',
  // Their examples leave out people the caller is involved with.
  'GET /admin/automatic-rules',
  'POST /admin/automatic-rules',
  'PUT /admin/automatic-rules/{id}',
  'DELETE /admin/automatic-rules/{id}',
  'POST /admin/automatic-rules/{id}/dry-run',
  'POST /admin/automatic-rules/{id}/switch',
  'POST /admin/help-lines',
  'PUT /admin/help-lines/{id}',
  'DELETE /admin/help-lines/{id}',
  'GET /admin/service',
  'PUT /admin/service',
  'GET /admin/service/texts/{kind}',
  'POST /admin/service/texts/{kind}',
  'POST /admin/service/texts/preview',
  'POST /admin/service/back',
  'POST /admin/service/pictures/{kind}',
  'GET /admin/invitations',
  'POST /admin/invitations',
  'DELETE /admin/invitations/{id}',
  'GET /admin/reply-templates',
  'POST /admin/reply-templates',
  'PUT /admin/reply-templates/{id}',
  'DELETE /admin/reply-templates/{id}',
  'GET /admin/appeals',
  // Leaves out cases to which the caller is a party.
  'GET /admin/notices',
  'POST /admin/notices/{id}/close',
  'POST /admin/transparency',
  'POST /admin/second-looks/next',
  // Returns a second look that the caller may no longer judge.
  'POST /admin/second-looks/{id}/skip',
  'GET /admin/second-look-figures',
  'GET /admin/care',
  'GET /admin/golden-cases',
  'DELETE /admin/golden-cases/{id}',
];

/** Routes outside the API: the status for every role, from this machine and from elsewhere. */
export const systemMatrix: Record<string, { here: number; elsewhere: number }> = {
  '/healthz': { here: 200, elsewhere: 200 },
  '/readyz': { here: 200, elsewhere: 200 },
  '/app/status': { here: 200, elsewhere: 200 },
  '/metrics': { here: 200, elsewhere: 404 },
  '/api/v1/openapi.json': { here: 200, elsewhere: 200 },
  '/api/docs': { here: 200, elsewhere: 200 },
};

/** Endpoints that don't exist yet; once they do, they need a row above. */
export const later: string[] = [];
