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
import { decisionMails } from './decisions/decide.ts';
import { fraudMails } from './decisions/fraud-warnings.ts';
import { mountDecisions } from './decisions/routes.ts';
import { sanctionReactions } from './decisions/sanctions.ts';
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

/** Reports, cases and decisions, and what staff know about a person. */
export const feature: Feature = {
  routes: [
    mountReports,
    mountCases,
    mountUserViews,
    mountDecisions,
    mountAppeals,
    mountUserFile,
    mountBulk,
    mountStart,
    mountAutomaticRules,
    mountOutsiderReports,
    mountOwnFile,
  ],
  jobs: [reportJobs, caseJobs, holdJobs, mailLinkJob, bulkJobs, ruleJobs, outsiderJobs, showJob].flat(),
  reactions: { ...reportReactions, ...sanctionReactions, ...ruleReactions, ...ageReactions },
  mails: {
    ...reportMails,
    ...decisionMails,
    ...fraudMails,
    ...appealMails,
    ...linkMails,
    ...deadlineMails,
    ...outsiderMails,
  },
};
