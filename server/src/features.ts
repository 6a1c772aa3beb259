import type { FastifyInstance } from 'fastify';
import type { TaskList } from 'graphile-worker';
import type { Deps } from './deps.ts';
import { composeReactions, type Reactions } from './events.ts';
import { authOutsideJobs, authRecoveries, authSchedules, authTasks } from './features/auth/jobs.ts';
import { authMails } from './features/auth/mails.ts';
import { measureLedger } from './features/auth/retention/ledger.ts';
import { mountAuth, mountFactors, mountHelp, mountIdentities } from './features/auth/routes.ts';
import { mountCompatibility } from './features/compatibility/compatibility.ts';
import { connectionRecoveries, connectionTasks } from './features/connections/jobs.ts';
import { connectionReactions } from './features/connections/pair.ts';
import { mountConnections } from './features/connections/routes.ts';
import { dateReactions, dateRecoveries, dateSchedules, dateTasks } from './features/dates/jobs.ts';
import { mountDates } from './features/dates/routes.ts';
import {
  discoveryRecoveries,
  discoverySchedules,
  discoveryTasks,
  discoveryTickers,
} from './features/discovery/jobs.ts';
import { mountDiscovery } from './features/discovery/routes.ts';
import { mediaMails } from './features/media/decide.ts';
import { mediaOutsideJobs, mediaRecoveries, mediaSchedules, mediaTasks } from './features/media/jobs.ts';
import { mountMedia } from './features/media/routes.ts';
import {
  messageOutsideJobs,
  messageReactions,
  messageRecoveries,
  messageSchedules,
  messageTasks,
} from './features/messages/jobs.ts';
import { mountMessageMedia } from './features/messages/media/routes.ts';
import { mountMessages } from './features/messages/routes.ts';
import { bulkRecoveries, bulkSchedules, bulkTasks } from './features/moderation/bulk/run.ts';
import { mountBulk } from './features/moderation/bulk/routes.ts';
import { ruleReactions, ruleRecoveries, ruleSchedules, ruleTasks } from './features/moderation/automatic/jobs.ts';
import { mountAutomaticRules } from './features/moderation/automatic/routes.ts';
import { appealMails } from './features/moderation/appeals/decide-appeal.ts';
import { linkMails, linkRecoveries, linkTasks } from './features/moderation/appeals/locked.ts';
import { mountAppeals } from './features/moderation/appeals/routes.ts';
import {
  auditSealRecoveries,
  auditSealSchedules,
  auditSealTasks,
  mountAuditSeals,
} from './features/moderation/audit-seals.ts';
import { auditSchedules, auditTasks, mountAudit } from './features/moderation/audit.ts';
import { ageReactions } from './features/moderation/cases/age.ts';
import { deadlineMails } from './features/moderation/cases/deadlines.ts';
import { caseRecoveries, caseSchedules, caseTasks } from './features/moderation/cases/jobs.ts';
import { mountCases } from './features/moderation/cases/routes.ts';
import { holdSchedules, holdTasks } from './features/moderation/holds/jobs.ts';
import { legalHoldReactions } from './features/moderation/emergencies/legal-hold.ts';
import {
  emergencyMails,
  emergencyOutsideJobs,
  emergencyRecoveries,
  emergencySchedules,
  emergencyTasks,
} from './features/moderation/emergencies/paging.ts';
import { restrictionMails } from './features/moderation/emergencies/restrictions.ts';
import { mountEmergencies } from './features/moderation/emergencies/routes.ts';
import { mountHelpLines } from './features/moderation/help-lines/routes.ts';
import { mountOwnFile } from './features/moderation/own-file/routes.ts';
import { ownFileSchedules, ownFileTasks } from './features/moderation/own-file/show.ts';
import { mountUserViews } from './features/moderation/saved-views/routes.ts';
import { decisionMails } from './features/moderation/decisions/decide.ts';
import { fraudMails } from './features/moderation/decisions/fraud-warnings.ts';
import { mountDecisions } from './features/moderation/decisions/routes.ts';
import { sanctionReactions } from './features/moderation/decisions/sanctions.ts';
import { reportMails } from './features/moderation/reports/file-report.ts';
import { reportReactions, reportRecoveries, reportSchedules, reportTasks } from './features/moderation/reports/jobs.ts';
import { mountReports } from './features/moderation/reports/routes.ts';
import {
  outsiderMails,
  outsiderRecoveries,
  outsiderSchedules,
  outsiderTasks,
} from './features/moderation/outsiders/jobs.ts';
import { mountOutsiderNotices } from './features/moderation/outsiders/routes.ts';
import {
  mountTransparency,
  transparencyRecoveries,
  transparencySchedules,
  transparencyTasks,
} from './features/moderation/transparency/routes.ts';
import {
  notificationOutsideJobs,
  notificationReactions,
  notificationRecoveries,
  notificationSchedules,
  notificationTasks,
} from './features/notifications/jobs.ts';
import { notificationMails } from './features/notifications/mail.ts';
import { selfieMails } from './features/selfies/decide.ts';
import { selfieSchedules, selfieTasks } from './features/selfies/jobs.ts';
import { mountSelfies } from './features/selfies/routes.ts';
import { secondLookSchedules, secondLookTasks } from './features/moderation/second-looks/draw.ts';
import { mountSecondLooks } from './features/moderation/second-looks/routes.ts';
import { mountStart } from './features/moderation/start/routes.ts';
import { mountTeam } from './features/moderation/team.ts';
import { mountUserFile } from './features/moderation/user-file/routes.ts';
import { mountNotifications } from './features/notifications/routes.ts';
import { mountProfiles } from './features/profiles/routes.ts';
import { ageMails } from './features/profiles/age/check.ts';
import { mountAge } from './features/profiles/age/routes.ts';
import { profileSchedules, profileTasks } from './features/profiles/search/refold.ts';
import { userMails } from './features/profiles/staff/age-notice.ts';
import { approvalMails } from './features/profiles/staff/approvals.ts';
import {
  mountStatistics,
  statisticsSchedules,
  statisticsTasks,
  statisticsTickers,
} from './features/statistics/statistics.ts';
import {
  subscriptionOutsideJobs,
  subscriptionReactions,
  subscriptionRecoveries,
  subscriptionSchedules,
  subscriptionTasks,
  subscriptionTickers,
} from './features/subscriptions/jobs.ts';
import { mountSubscriptions } from './features/subscriptions/routes.ts';
import { subscriptionMails } from './features/subscriptions/sync.ts';
import { mountPaymentWebhook } from './features/subscriptions/webhook.ts';
import { mountTakeoutLinks } from './features/takeout/links.ts';
import {
  mountTakeout,
  takeoutMails,
  takeoutLongJobs,
  takeoutRecoveries,
  takeoutSchedules,
  takeoutTasks,
} from './features/takeout/takeout.ts';
import { certificateOutsideJobs, certificateSchedules, certificateTasks } from './features/operations/certificates.ts';
import { mountMetrics } from './features/operations/metrics.ts';
import { insightReactions, insightRecoveries, insightSchedules, insightTasks } from './features/insights/jobs.ts';
import { mountInsights } from './features/insights/routes.ts';
import { insightMails } from './features/insights/weekly-mail.ts';
import { mountOperations } from './features/operations/operations.ts';
import { mountStatus, operationsTickers } from './features/operations/status.ts';
import type { Schedule, Ticker } from '#platform/jobs/jobs.ts';
import type { Recoveries } from '#platform/jobs/owed.ts';
import type { MailTemplates } from '#platform/notify/mail.ts';

/** What a feature adds to the app. */
export interface Feature {
  /** Functions that mount the feature's endpoints. */
  routes: ((app: FastifyInstance, deps: Deps) => void | Promise<void>)[];
  /** Background jobs by the names they are queued under. */
  jobs?: (deps: Deps, app: FastifyInstance) => TaskList;
  /** What makes up for those of its jobs that are lost; a test demands it for every job that is queued. */
  recoveries?: Recoveries;
  /** Jobs that wait for external services and must not delay the others. */
  outsideJobs?: readonly string[];
  /**
   * Jobs that may take longer than a second and must not delay the others, also not those that wait for external
   * services. Those that run once a day or less often are such jobs anyway.
   */
  longJobs?: readonly string[];
  /** When its jobs run. */
  schedules?: Schedule[];
  /** Work that each process repeats every few seconds. */
  tickers?: (deps: Deps) => Ticker[];
  /** How the feature reacts to events of earlier features. */
  reactions?: Reactions;
  mails?: MailTemplates;
}

/** All features in order: a feature may use an earlier one through its `public.ts`, but never a later one. */
export const features: readonly Feature[] = [
  {
    routes: [mountAuth, mountFactors, mountHelp, mountIdentities, measureLedger],
    jobs: authTasks,
    recoveries: authRecoveries,
    outsideJobs: authOutsideJobs,
    schedules: authSchedules,
    mails: authMails,
  },
  {
    routes: [mountSubscriptions, mountPaymentWebhook],
    jobs: subscriptionTasks,
    recoveries: subscriptionRecoveries,
    outsideJobs: subscriptionOutsideJobs,
    schedules: subscriptionSchedules,
    tickers: subscriptionTickers,
    reactions: subscriptionReactions,
    mails: subscriptionMails,
  },
  { routes: [mountCompatibility] },
  {
    routes: [mountProfiles, mountAge],
    jobs: profileTasks,
    longJobs: ['profiles.refold'],
    schedules: profileSchedules,
    mails: { ...userMails, ...approvalMails, ...ageMails },
  },
  {
    routes: [mountMedia],
    jobs: mediaTasks,
    recoveries: mediaRecoveries,
    outsideJobs: mediaOutsideJobs,
    schedules: mediaSchedules,
    mails: mediaMails,
  },
  {
    routes: [mountConnections],
    jobs: connectionTasks,
    recoveries: connectionRecoveries,
    reactions: connectionReactions,
  },
  {
    routes: [mountMessages, mountMessageMedia],
    jobs: messageTasks,
    recoveries: messageRecoveries,
    outsideJobs: messageOutsideJobs,
    schedules: messageSchedules,
    reactions: messageReactions,
  },
  {
    routes: [mountDiscovery],
    jobs: discoveryTasks,
    recoveries: discoveryRecoveries,
    schedules: discoverySchedules,
    tickers: discoveryTickers,
  },
  {
    routes: [mountNotifications],
    jobs: notificationTasks,
    recoveries: notificationRecoveries,
    outsideJobs: notificationOutsideJobs,
    schedules: notificationSchedules,
    reactions: notificationReactions,
    mails: notificationMails,
  },
  {
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
      mountOutsiderNotices,
      mountOwnFile,
    ],
    jobs: (deps) => ({
      ...reportTasks(deps),
      ...caseTasks(deps),
      ...holdTasks(deps),
      ...linkTasks(deps),
      ...bulkTasks(deps),
      ...ruleTasks(deps),
      ...outsiderTasks(deps),
      ...ownFileTasks(deps),
    }),
    recoveries: {
      ...reportRecoveries,
      ...caseRecoveries,
      ...linkRecoveries,
      ...bulkRecoveries,
      ...ruleRecoveries,
      ...outsiderRecoveries,
    },
    longJobs: ['users.bulk', 'bans.search', 'rules.dryRun'],
    schedules: [
      ...reportSchedules,
      ...caseSchedules,
      ...holdSchedules,
      ...bulkSchedules,
      ...ruleSchedules,
      ...outsiderSchedules,
      ...ownFileSchedules,
    ],
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
  },
  {
    routes: [mountEmergencies, mountHelpLines],
    jobs: emergencyTasks,
    recoveries: emergencyRecoveries,
    schedules: emergencySchedules,
    outsideJobs: emergencyOutsideJobs,
    reactions: legalHoldReactions,
    mails: { ...emergencyMails, ...restrictionMails },
  },
  {
    routes: [mountDates],
    jobs: dateTasks,
    recoveries: dateRecoveries,
    schedules: dateSchedules,
    reactions: dateReactions,
  },
  {
    routes: [mountAudit, mountAuditSeals, mountTeam, mountTransparency, mountSecondLooks],
    jobs: (deps) => ({
      ...auditTasks(deps),
      ...auditSealTasks(deps),
      ...transparencyTasks(deps),
      ...secondLookTasks(deps),
    }),
    recoveries: { ...auditSealRecoveries, ...transparencyRecoveries },
    longJobs: ['transparency.make'],
    schedules: [...auditSchedules, ...auditSealSchedules, ...transparencySchedules, ...secondLookSchedules],
  },
  { routes: [mountSelfies], jobs: selfieTasks, schedules: selfieSchedules, mails: selfieMails },
  { routes: [mountStatistics], jobs: statisticsTasks, schedules: statisticsSchedules, tickers: statisticsTickers },
  {
    routes: [mountInsights],
    jobs: insightTasks,
    recoveries: insightRecoveries,
    longJobs: ['insights.rollUp'],
    schedules: insightSchedules,
    reactions: insightReactions,
    mails: insightMails,
  },
  {
    routes: [mountTakeout, mountTakeoutLinks],
    jobs: takeoutTasks,
    recoveries: takeoutRecoveries,
    longJobs: takeoutLongJobs,
    schedules: takeoutSchedules,
    mails: takeoutMails,
  },
  {
    routes: [mountMetrics, mountOperations, mountStatus],
    jobs: certificateTasks,
    outsideJobs: certificateOutsideJobs,
    schedules: certificateSchedules,
    tickers: operationsTickers,
  },
];

/** Runs the reactions of all features to an event. */
export const emit = composeReactions(features.map(({ reactions }) => reactions ?? {}));

/** Every email that the product sends. */
export const mailTemplates: MailTemplates = Object.assign({}, ...features.map(({ mails }) => mails)) as MailTemplates;
