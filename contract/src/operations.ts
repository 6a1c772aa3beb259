import * as z from 'zod/mini';
import { answer, endpoint } from './endpoint.ts';
import { text, timeSchema } from './text.ts';

/** The parts of the service, as staff call them. */
export const serviceParts = ['signIn', 'discovery', 'messages', 'pictures', 'payments', 'mail'] as const;
export type ServicePart = (typeof serviceParts)[number];

export const partStates = ['works', 'degraded', 'down'] as const;
/** `degraded` means that some requests fail or are late. */
export type PartState = (typeof partStates)[number];

/**
 * Why a mail server didn't accept an email. `later`: it asked to try again. `content`: it refused the email after
 * accepting sender and recipient.
 */
export const mailProblems = ['signIn', 'sender', 'recipient', 'content', 'later', 'unreachable', 'other'] as const;
export type MailProblem = (typeof mailProblems)[number];

/**
 * Settings that are meant for development, and dangerous where others can reach the installation. `NODE_ENV`: it is not
 * `production`.
 */
export const dangerousSettings = ['NODE_ENV', 'SEED', 'STAFF_MFA', 'RATE_LIMITS', 'ALLOW_CLEAR_TEXT'] as const;
export type DangerousSetting = (typeof dangerousSettings)[number];

const day = 86_400;
/** Above these limits, the operations page, `npm run doctor` and the alerts of `deploy/prometheus` warn. */
export const operationsLimits = {
  backupAgeSeconds: 1.5 * day,
  drillAgeSeconds: 40 * day,
  certificateEndsSeconds: 14 * day,
  diskFreeRatio: 0.1,
  replicaBehindSeconds: 60,
};

const processSchema = z.object({
  _id: z.string(),
  host: z.string(),
  version: z.string(),
  /** The Node.js version. */
  node: z.string(),
  runsJobs: z.boolean(),
  startedAt: timeSchema,
  seenAt: timeSchema,
  /** Whether it can't reach the Redis of `REDIS_URL`. */
  isRedisDown: z.boolean(),
  /** How often the app got the own profile, as it does when it is opened, since the process started, and how many sockets were opened. */
  appOpened: z.int(),
  socketsOpened: z.int(),
});

const failedJobSchema = z.object({
  _id: z.string(),
  task: z.string(),
  attempts: z.int(),
  createdAt: timeSchema,
  failedAt: timeSchema,
  /** Why the last attempt failed, without any values. */
  error: z.string(),
});

const certificateSchema = z.object({
  /** The service that the job calls, such as `Stripe`. */
  name: z.string(),
  host: z.string(),
  /** Null if it could not be read; `problem` says why, or why it is not trusted. */
  validUntil: z.nullable(timeSchema),
  problem: z.nullable(z.string()),
  checkedAt: timeSchema,
});

const operationsSchema = z.object({
  parts: z.array(z.object({ part: z.enum(serviceParts), state: z.enum(partStates) })),
  processes: z.array(processSchema),
  database: z.object({
    version: z.string(),
    bytes: z.number(),
    /** The newest file of `server/migrations` and when it was applied. */
    migration: z.string(),
    migratedAt: timeSchema,
    /** How far the slowest replica is behind; null without one. */
    replicationLagSeconds: z.nullable(z.number()),
    /** Whether a replica is more than a minute behind or can't be reached. */
    isReplicaBehind: z.boolean(),
  }),
  jobs: z.object({
    /** By task, those with the most failures first. */
    tasks: z.array(z.object({ task: z.string(), due: z.int(), failed: z.int() })),
    oldestDueSeconds: z.number(),
    /** The newest 50 failed jobs. */
    failed: z.array(failedJobSchema),
  }),
  mail: z.object({
    waiting: z.int(),
    retrying: z.int(),
    oldestWaitingSeconds: z.number(),
    /** Why the newest waiting email that was tried could not be sent; null if there is none. */
    problem: z.nullable(z.enum(mailProblems)),
    sent: z.int(),
    dead: z.int(),
    /** Emails that were given up and can be sent again, by kind and reason. */
    unsent: z.array(
      z.object({ template: z.string(), problem: z.enum(mailProblems), count: z.int(), newestAt: timeSchema }),
    ),
  }),
  storage: z.object({
    driver: z.enum(['disk', 's3']),
    /** Free bytes on the disk with the pictures; null for a bucket. */
    freeBytes: z.nullable(z.number()),
    totalBytes: z.nullable(z.number()),
  }),
  backups: z.object({
    lastBackup: z.nullable(timeSchema),
    lastDrill: z.nullable(timeSchema),
    /** When PostgreSQL last archived its write-ahead log; null if archiving is off. */
    lastArchived: z.nullable(timeSchema),
  }),
  certificates: z.array(certificateSchema),
  /** Optional features of this installation, by the variable that configures them. Never contains secrets. */
  features: z.array(z.object({ name: z.string(), value: z.string() })),
  /** The version of the service's settings that is in force, and the newest one if that is broken; null if it isn't. */
  service: z.object({ holds: z.int(), broken: z.nullable(z.int()) }),
  /** The settings that are dangerous here. */
  dangers: z.array(z.enum(dangerousSettings)),
});

export type Operations = z.output<typeof operationsSchema>;
export type FailedJob = z.output<typeof failedJobSchema>;
export type Certificate = z.output<typeof certificateSchema>;

export const getOperations = endpoint({
  method: 'GET',
  path: '/admin/operations',
  summary: 'Get the state of the installation: versions, jobs, mail, storage, backups, certificates and settings.',
  access: 'operations.view',
  response: answer({ data: operationsSchema }),
});

export const retryMail = endpoint({
  method: 'POST',
  path: '/admin/mail/retry',
  summary:
    'Send the emails again that were given up and are still valid: all, or those of one kind and reason. Audited.',
  access: 'operations.retry',
  writes: true,
  body: z.object({
    kind: z.optional(
      z.object({ template: z.string().check(z.regex(/^[a-zA-Z]{1,64}$/)), problem: z.enum(mailProblems) }),
    ),
  }),
  response: answer({ data: z.object({ retried: z.int() }) }),
  stale: ['/admin/operations'],
});

export const retryJobs = endpoint({
  method: 'POST',
  path: '/admin/jobs/retry',
  summary: 'Queue one or all failed jobs of a task again. Audited.',
  access: 'operations.retry',
  writes: true,
  body: z.object({
    task: text(1, 128),
    id: z.optional(z.string().check(z.regex(/^\d{1,18}$/, 'Not the id of a job'))),
  }),
  response: answer({ data: z.object({ retried: z.int() }) }),
  stale: ['/admin/operations'],
});
