import { type PartState, type ServicePart, serviceParts } from '#contract/operations.ts';

/** The routes of each part whose answers show whether it works. Mail is judged by its queue. */
const routesOf: Record<Exclude<ServicePart, 'mail'>, RegExp> = {
  signIn:
    /^\/api\/v1\/auth\/(login|register|refresh-token|google|facebook|link|join|passkeys\/login|(verify|reset|forgot)-|totp)/,
  discovery: /^\/api\/v1\/(discovery|likes|passes)/,
  messages: /^\/api\/v1\/(conversations|matches)/,
  pictures: /^\/api\/v1\/(media|uploads|auth\/upload-|pictures)/,
  payments: /^\/api\/v1\/(subscription|webhooks\/payments)/,
};

interface Answered {
  requests: number;
  failures: number;
}

/** Answered requests by part. */
export type AnsweredParts = Partial<Record<ServicePart, Answered>>;

/** The sum of the counts of several routes or processes. */
const sum = (counts: Answered[]): Answered => ({
  requests: counts.reduce((total, { requests }) => total + requests, 0),
  failures: counts.reduce((total, { failures }) => total + failures, 0),
});

/** The counts of routes by the part they belong to. */
export function byPart(answered: ReadonlyMap<string, Answered>): AnsweredParts {
  return Object.fromEntries(
    Object.entries(routesOf).map(([part, routes]) => [
      part,
      sum([...answered].filter(([route]) => routes.test(route)).map(([, counts]) => counts)),
    ]),
  );
}

/** The counts of all processes. */
export function together(processes: readonly AnsweredParts[]): AnsweredParts {
  return Object.fromEntries(
    serviceParts.map((part) => [part, sum(processes.flatMap((parts) => parts[part] ?? []))] as const),
  );
}

/** The difference between two counts. */
export function since(before: AnsweredParts, now: AnsweredParts): AnsweredParts {
  return Object.fromEntries(
    Object.entries(now).map(([part, { requests, failures }]) => {
      const old = before[part as ServicePart];
      return [part, { requests: requests - (old?.requests ?? 0), failures: failures - (old?.failures ?? 0) }];
    }),
  );
}

/**
 * A few failures are normal, such as those of one broken connection, unless so little happened that they are most of
 * it.
 */
const fewest = { degraded: 3, down: 2 };
const shares = { degraded: 0.05, down: 0.5 };

/** Whether requests to a part succeed. */
function judgeRequests({ requests, failures }: Answered): PartState {
  const share = failures / requests;
  if (failures >= fewest.down && share >= shares.down) return 'down';
  return failures >= fewest.degraded && share >= shares.degraded ? 'degraded' : 'works';
}

/**
 * The mail queue: mails that have been due for minutes without an attempt, mails that failed and will be retried, how many of these because
 * the mail server refuses our sign-in or sender, and mails sent in the last quarter of an hour.
 */
export interface MailQueue {
  late: number;
  retrying: number;
  refused: number;
  sentLately: number;
}

/**
 * One full mailbox makes one mail wait; mail as a whole is down if nothing gets out. Our sign-in and our sender are the same for all mails,
 * so the first refusal counts.
 */
function judgeMail({ late, retrying, refused, sentLately }: MailQueue): PartState {
  if (refused > 0) return sentLately === 0 ? 'down' : 'degraded';
  const stuck = late + retrying;
  if (sentLately === 0) return stuck >= fewest.down ? 'down' : 'works';
  if (stuck < fewest.degraded) return 'works';
  return late > 0 || retrying > sentLately ? 'degraded' : 'works';
}

/** The public state of each part. Payments are left out if nothing is sold. */
export function judge(
  answered: AnsweredParts,
  mail: MailQueue,
  { sells }: { sells: boolean },
): { part: ServicePart; state: PartState }[] {
  return serviceParts
    .filter((part) => sells || part !== 'payments')
    .map((part) => ({
      part,
      state: part === 'mail' ? judgeMail(mail) : judgeRequests(answered[part] ?? { requests: 0, failures: 0 }),
    }));
}
