import type { Feature } from '../../feature.ts';
import { appealMails } from './appeals/decide-appeal.ts';
import { linkMails, mailLinkJob } from './appeals/locked.ts';
import { mountAppeals } from './appeals/routes.ts';
import { ruleJobs, ruleReactions } from './automatic/jobs.ts';
import { mountAutomaticRules } from './automatic/routes.ts';
import { mountBulk } from './bulk/routes.ts';
import { bulkJobs } from './bulk/run.ts';
import { ageReactions } from './cases/age.ts';
import { deadlineMails } from './cases/deadlines.ts';
import { caseJobs } from './cases/jobs.ts';
import { mountCases } from './cases/routes.ts';
import { banReactions } from './decisions/bans.ts';
import { fraudMails, warningReactions } from './decisions/fraud-warnings.ts';
import { decisionMails } from './decisions/notify-person.ts';
import { decisionReactions } from './decisions/record.ts';
import { mountDecisions } from './decisions/routes.ts';
import { sanctionReactions } from './decisions/sanctions.ts';
import { emergencyReactions } from './emergencies/note.ts';
import { emergencyJobs, emergencyMails } from './emergencies/paging.ts';
import { preservationReactions } from './emergencies/preservation.ts';
import { restrictionMails, restrictionReactions } from './emergencies/restrictions.ts';
import { mountEmergencies } from './emergencies/routes.ts';
import { mountHelpLines } from './help-lines/routes.ts';
import { holdReactions } from './holds/hold.ts';
import { holdJobs } from './holds/jobs.ts';
import { outsiderJobs, outsiderMails } from './outsiders/jobs.ts';
import { mountOutsiderReports } from './outsiders/routes.ts';
import { mountOwnFile } from './own-file/routes.ts';
import { showJob } from './own-file/show.ts';
import { reportMails } from './reports/file-report.ts';
import { reportJobs, reportReactions } from './reports/jobs.ts';
import { mountReports } from './reports/routes.ts';
import { mountUserViews } from './saved-views/routes.ts';
import { mountStart } from './start/routes.ts';
import { mountUserFile } from './user-file/routes.ts';

/**
 * The rooms of moderation in order: each may use earlier ones, but never a later one. Their reactions run, and take their locks, in this
 * order.
 */
export const rooms: readonly Feature[] = [
  { routes: [mountUserViews, mountHelpLines] },
  { routes: [mountReports], jobs: reportJobs, reactions: reportReactions, mails: reportMails },
  { routes: [mountUserFile] },
  { routes: [mountAutomaticRules], jobs: ruleJobs, reactions: ruleReactions },
  { routes: [], jobs: holdJobs, reactions: holdReactions },
  {
    routes: [mountDecisions],
    reactions: [decisionReactions, sanctionReactions, banReactions, warningReactions],
    mails: { ...decisionMails, ...fraudMails },
  },
  { routes: [mountAppeals], jobs: [mailLinkJob], mails: { ...appealMails, ...linkMails } },
  {
    routes: [mountEmergencies],
    jobs: emergencyJobs,
    reactions: [preservationReactions, emergencyReactions, restrictionReactions],
    mails: { ...emergencyMails, ...restrictionMails },
  },
  { routes: [mountOutsiderReports], jobs: outsiderJobs, mails: outsiderMails },
  { routes: [mountCases], jobs: caseJobs, reactions: ageReactions, mails: deadlineMails },
  { routes: [mountOwnFile], jobs: [showJob] },
  { routes: [mountBulk], jobs: bulkJobs },
  { routes: [mountStart] },
];
