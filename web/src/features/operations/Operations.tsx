import type { MessageDescriptor } from '@lingui/core';
import { msg, plural, t } from '@lingui/core/macro';
import { Box, Text } from '@mantine/core';
import { IconAlertTriangle, IconClock, IconDatabase, IconMail } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import {
  type Certificate,
  type DangerousSetting,
  getOperations,
  type MailProblem,
  type Operations,
  operationsLimits,
  type PartState,
  type ServicePart,
} from '#contract/operations.ts';
import { endpointQuery } from '../../api/endpoint-query.ts';
import { Facts, StateList } from '../../ui/data/Facts.tsx';
import { StatCards, StatCardsSkeleton } from '../../ui/data/StatCard.tsx';
import { Tag, type TagTone } from '../../ui/data/Tag.tsx';
import { Time, useNow } from '../../ui/data/Time.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { QueryStates, Skeleton } from '../../ui/feedback/PageStates.tsx';
import { Hint } from '../../ui/layout/text-blocks.tsx';
import { BothColumns, Columns, Panel } from '../../ui/layout/Page.tsx';
import { formatNumber } from '../../ui/text/format.ts';
import { FailedJobs } from './FailedJobs.tsx';
import { mailProblemWords } from './mail-words.ts';
import { UnsentMail } from './UnsentMail.tsx';

/** The state of the installation, loaded again every 15 seconds while it is shown. */
export const operationsQuery = endpointQuery(getOperations, {}, { refetchInterval: 15_000 });

const partNames: Record<ServicePart, MessageDescriptor> = {
  signIn: msg`Signing in`,
  discovery: msg`Discovery and likes`,
  messages: msg`Messages`,
  pictures: msg`Pictures`,
  payments: msg`Payments`,
  mail: msg`Mail`,
};
const stateWords: Record<PartState, [MessageDescriptor, TagTone]> = {
  works: [msg`Works`, 'positive'],
  degraded: [msg`Partly works`, 'attention'],
  down: [msg`Down`, 'accent'],
};

const lateSeconds = 300;
const gigabyte = 1e9;

const formatBytes = (bytes: number) =>
  bytes >= gigabyte
    ? t`${{ count: formatNumber(Math.round(bytes / (gigabyte / 10)) / 10) }} GB`
    : t`${{ count: formatNumber(Math.ceil(bytes / 1e6)) }} MB`;

/** A duration in its largest unit, such as "40 s", "12 min" or "3 h". */
function formatDuration(seconds: number): string {
  if (seconds < 60) return t`${{ count: formatNumber(Math.round(seconds)) }} s`;
  if (seconds < 5400) return t`${{ count: formatNumber(Math.round(seconds / 60)) }} min`;
  return t`${{ count: formatNumber(Math.round(seconds / 3600)) }} h`;
}

/** Single emails can have these problems; the state of the mail component shows whether there are more. */
const problemsOfOne: MailProblem[] = ['recipient', 'later', 'other'];

/** The reason why emails are waiting, with their number; false if no problem is known. */
function mailProblemOf({ problem, waiting }: Operations['mail']): string | false {
  return (
    problem !== null &&
    !problemsOfOne.includes(problem) &&
    `${t(mailProblemWords[problem])} ${t`${plural({ count: waiting }, { one: '# email is', other: '# emails are' })} waiting.`}`
  );
}

const secondsSince = (time: string, now: number) => (now - Date.parse(time)) / 1000;

const dangerWords: Record<DangerousSetting, MessageDescriptor> = {
  NODE_ENV: msg`Development features are on, although others can reach this installation. Set NODE_ENV=production.`,
  SEED: msg`Demo accounts with published passwords can sign in. Set SEED=none on a new database.`,
  STAFF_MFA: msg`Staff can sign in with only a password. Set STAFF_MFA=on.`,
  RATE_LIMITS: msg`Nothing limits requests, so passwords can be guessed. Set RATE_LIMITS=on.`,
  ALLOW_CLEAR_TEXT: msg`Connections to other networks may be unencrypted. Set ALLOW_CLEAR_TEXT=off.`,
};

/** Problems that an administrator should look at, most urgent first. */
function problemsOf(
  { dangers, parts, jobs, mail, processes, database, certificates, backups, storage, service }: Operations,
  now: number,
): string[] {
  const failed = jobs.tasks.reduce((sum, task) => sum + task.failed, 0);
  const versions = new Set(processes.map(({ version }) => version));
  const endingSoon = certificates.filter((one) => isEndingSoon(one, now));
  return [
    ...dangers.map((name) => t(dangerWords[name])),
    service.broken !== null &&
      t`Version ${{ version: service.broken }} of the service can't be read, so an earlier one applies. Save the service again.`,
    ...parts
      .filter(({ state }) => state !== 'works')
      .map(({ part, state }) => t`${{ part: t(partNames[part]) }}: ${{ state: t(stateWords[state][0]) }}`),
    mailProblemOf(mail),
    processes.length > 0 && !processes.some(({ runsJobs }) => runsJobs) && t`No process runs jobs.`,
    jobs.oldestDueSeconds > lateSeconds &&
      t`A job has been waiting for ${{ time: formatDuration(jobs.oldestDueSeconds) }}.`,
    failed > 0 && t`${plural({ count: failed }, { one: '# job', other: '# jobs' })} failed.`,
    versions.size > 1 && t`Processes run different versions.`,
    processes.some(({ isRedisDown }) => isRedisDown) && t`Redis is down. Live messages go through the database.`,
    lacksSockets(processes) &&
      t`People open the app, but no live connection gets through. The proxy must pass on the headers Upgrade and Connection.`,
    database.isReplicaBehind && t`A replica of the database is down or more than a minute behind.`,
    endingSoon.length > 0 && t`Certificates to renew: ${{ names: endingSoon.map(({ name }) => name).join(', ') }}.`,
    backups.lastBackup === null && t`No backup has been made yet.`,
    backups.lastBackup !== null &&
      secondsSince(backups.lastBackup, now) > operationsLimits.backupAgeSeconds &&
      t`The last backup is ${plural({ count: Math.floor(secondsSince(backups.lastBackup, now) / 86_400) }, { one: '# day', other: '# days' })} old.`,
    isDrillOld(backups, now) && t`Test a restore: there was no restore drill lately.`,
    storage.freeBytes !== null &&
      storage.totalBytes !== null &&
      storage.freeBytes < operationsLimits.diskFreeRatio * storage.totalBytes &&
      t`The disk of the pictures is almost full: ${{ free: formatBytes(storage.freeBytes) }} free.`,
  ].filter((problem) => problem !== false);
}

/** Whether the app was opened often enough to tell that sockets fail: a browser opens one each time. */
const lacksSockets = (processes: Operations['processes']) =>
  sumOf(processes, 'appOpened') > 20 && sumOf(processes, 'socketsOpened') === 0;

const sumOf = (processes: Operations['processes'], name: 'appOpened' | 'socketsOpened') =>
  processes.reduce((sum, one) => sum + one[name], 0);

const isDrillOld = ({ lastDrill }: Operations['backups'], now: number) =>
  lastDrill === null || secondsSince(lastDrill, now) > operationsLimits.drillAgeSeconds;

const isEndingSoon = ({ validUntil, problem }: Certificate, now: number) =>
  problem !== null || (validUntil !== null && -secondsSince(validUntil, now) < operationsLimits.certificateEndsSeconds);

function Summary({ operations, now }: { operations: Operations; now: number }) {
  const problems = problemsOf(operations, now);
  const link = (
    <a href="/app/status" target="_blank" rel="noreferrer">
      {t`What members see`}
    </a>
  );
  if (problems.length === 0)
    return (
      <Notice kind="success" action={link}>
        {t`Everything works.`}
      </Notice>
    );
  return (
    <Notice kind="warning" action={link}>
      {problems.map((problem) => (
        <Text key={problem}>{problem}</Text>
      ))}
    </Notice>
  );
}

function Figures({ jobs, mail, storage, database }: Operations) {
  const due = jobs.tasks.reduce((sum, task) => sum + task.due, 0);
  const failed = jobs.tasks.reduce((sum, task) => sum + task.failed, 0);
  return (
    <StatCards
      label={t`Key figures`}
      figures={[
        {
          label: t`Jobs due`,
          value: formatNumber(due),
          note: due === 0 ? t`None waits` : t`Oldest: ${{ time: formatDuration(jobs.oldestDueSeconds) }}`,
          Icon: IconClock,
        },
        {
          label: t`Failed jobs`,
          value: formatNumber(failed),
          note: t`Until they are retried`,
          Icon: IconAlertTriangle,
          tone: 'honey',
        },
        {
          label: t`Mail waiting`,
          value: formatNumber(mail.waiting),
          note: t`${{ sent: formatNumber(mail.sent) }} sent, ${{ dead: formatNumber(mail.dead) }} undeliverable in 24 h`,
          Icon: IconMail,
          tone: 'moss',
        },
        {
          label: t`Database`,
          value: formatBytes(database.bytes),
          note:
            storage.driver === 's3'
              ? t`Pictures are in a bucket`
              : t`${{ free: storage.freeBytes === null ? t`Unknown` : formatBytes(storage.freeBytes) }} free on disk`,
          Icon: IconDatabase,
          tone: 'dusk',
        },
      ]}
    />
  );
}

/** A list of names with a state or value at the end of each line, or a sentence if there are none. */
function RowsOrNone({ rows, none }: { rows: ComponentProps<typeof StateList>['rows']; none: string }) {
  return rows.length === 0 ? <Text c="dimmed">{none}</Text> : <StateList rows={rows} />;
}

function Parts({ parts }: Pick<Operations, 'parts'>) {
  const rows = parts.map(({ part, state }) => {
    const [words, tone] = stateWords[state];
    return {
      id: part,
      name: t(partNames[part]),
      end: (
        <Tag tone={tone} hasDot>
          {t(words)}
        </Tag>
      ),
    };
  });
  return (
    <Panel title={t`Service`} lead={t`Requests of the last five minutes, and the queue of mail.`}>
      <StateList rows={rows} />
    </Panel>
  );
}

function Processes({ processes }: Pick<Operations, 'processes'>) {
  const rows = processes.map(({ _id, host, version, node, runsJobs, startedAt }) => ({
    id: _id,
    name: (
      <>
        {host}
        <Hint span display="block">
          {t`Started`} <Time at={startedAt} /> · Node {node}
        </Hint>
      </>
    ),
    end: (
      <span>
        <Tag tone="info">{version}</Tag> {runsJobs && <Tag tone="quiet">{t`Runs jobs`}</Tag>}
      </span>
    ),
  }));
  return (
    <Panel title={t`Processes`} lead={t`Seen within the last minute, with their versions.`}>
      <RowsOrNone rows={rows} none={t`No process has reported yet.`} />
    </Panel>
  );
}

/** The services that certificates belong to, except those known by a brand. */
const peerNames: Record<string, MessageDescriptor> = {
  'This service': msg`This service`,
  Mail: msg`Mail`,
  Pictures: msg`Pictures`,
  'Picture check': msg`Picture check`,
};

const peerName = (name: string) => (peerNames[name] ? t(peerNames[name]) : name);

function Certificates({ certificates, now }: Pick<Operations, 'certificates'> & { now: number }) {
  const rows = certificates.map((one) => ({
    id: one.name,
    name: (
      <>
        {peerName(one.name)}
        <Hint span display="block">
          {one.host}
        </Hint>
      </>
    ),
    end: (
      <Tag tone={isEndingSoon(one, now) ? 'attention' : 'positive'} hasDot>
        {one.problem ?? (one.validUntil === null ? t`Unknown` : <Time at={one.validUntil} isDate />)}
      </Tag>
    ),
  }));
  return (
    <Panel title={t`Certificates`} lead={t`Checked every night; they expire on the date shown.`}>
      <RowsOrNone rows={rows} none={t`No external service is connected with TLS, or the first check has not run.`} />
    </Panel>
  );
}

const timeOrNever = (at: string | null) => (at === null ? t`Never` : <Time at={at} />);

function DatabaseAndBackups({ database, backups }: Pick<Operations, 'database' | 'backups'>) {
  const { lastBackup, lastDrill, lastArchived } = backups;
  const lag = database.replicationLagSeconds;
  return (
    <Panel title={t`Database and backups`}>
      <Facts
        facts={[
          [t`PostgreSQL`, database.version],
          [t`Size`, formatBytes(database.bytes)],
          [t`Last backup`, timeOrNever(lastBackup)],
          [t`Last restore drill`, timeOrNever(lastDrill)],
          lastArchived !== null && [t`Log archived`, <Time key="archived" at={lastArchived} />],
          lag !== null && [t`Replica behind by`, formatDuration(lag)],
          [t`Newest migration`, <code key="migration">{database.migration}</code>, true],
        ]}
      />
    </Panel>
  );
}

function Settings({ features }: Pick<Operations, 'features'>) {
  return (
    <Panel title={t`Settings`} lead={t`From the environment of the process that answered.`}>
      <Facts facts={features.map(({ name, value }) => [name, value])} columns={4} leastRem={11} />
    </Panel>
  );
}

/** Everything that administrators need to know about the running installation; `mailName` puts a kind of email in words. */
export function OperationsOverview({ mailName }: { mailName: (template: string) => string }) {
  const query = useQuery(operationsQuery);
  const now = useNow(60_000);
  return (
    <QueryStates
      query={query}
      loadingText={t`Loading operations...`}
      skeleton={
        <>
          <StatCardsSkeleton count={4} />
          <Skeleton height="60rem" />
        </>
      }
      errorText={(error) => t`Error loading operations: ${error}`}
    >
      {(operations) => (
        <>
          <Box mb="1rem">
            <Summary operations={operations} now={now} />
          </Box>
          <Figures {...operations} />
          <Columns isEven isStretched>
            <BothColumns>
              <FailedJobs jobs={operations.jobs} />
            </BothColumns>
            <BothColumns>
              <UnsentMail unsent={operations.mail.unsent} nameOf={mailName} />
            </BothColumns>
            <Parts parts={operations.parts} />
            <Processes processes={operations.processes} />
            <DatabaseAndBackups {...operations} />
            <Certificates certificates={operations.certificates} now={now} />
            <BothColumns>
              <Settings features={operations.features} />
            </BothColumns>
          </Columns>
        </>
      )}
    </QueryStates>
  );
}
