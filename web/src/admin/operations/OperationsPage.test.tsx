import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { getOperations, type Operations, retryJobs, retryMail } from '#contract/operations.ts';
import { failWith, received, Refusal, serve } from '../../../test/fake-server.ts';
import { administrator, moderator } from '../../../test/fixtures/people.ts';
import { currentAddress, renderApp } from '../../../test/render-app.tsx';

const hourAgo = () => new Date(Date.now() - 3_600_000).toISOString();

const process = (changes: Partial<Operations['processes'][number]> = {}) => ({
  _id: 'one',
  host: 'app-1',
  version: '0.3.0',
  node: '24.21.0',
  runsJobs: true,
  startedAt: hourAgo(),
  seenAt: hourAgo(),
  isRedisDown: false,
  appOpened: 40,
  socketsOpened: 1,
  ...changes,
});

const operations = (changes: Partial<Operations> = {}): Operations => ({
  parts: [
    { part: 'signIn', state: 'works' },
    { part: 'mail', state: 'works' },
  ],
  processes: [process()],
  database: {
    version: '18.4',
    bytes: 3_400_000_000,
    migration: '0023-server-processes.sql',
    migratedAt: hourAgo(),
    replicationLagSeconds: null,
    isReplicaBehind: false,
  },
  jobs: { tasks: [], oldestDueSeconds: 0, failed: [] },
  mail: { waiting: 0, retrying: 0, oldestWaitingSeconds: 0, problem: null, sent: 40, dead: 1, unsent: [] },
  storage: { driver: 'disk', freeBytes: 81_000_000_000, totalBytes: 100_000_000_000 },
  backups: { lastBackup: hourAgo(), lastDrill: hourAgo(), lastArchived: null },
  certificates: [],
  features: [{ name: 'MAIL_DRIVER', value: 'smtp' }],
  service: { holds: 0, broken: null },
  dangers: [],
  ...changes,
});

const failedJob = (id: string) => ({
  _id: id,
  task: 'mail.send',
  attempts: 12,
  createdAt: hourAgo(),
  failedAt: hourAgo(),
  error: 'connect ECONNREFUSED …',
});

describe('/operations', () => {
  it('shows that everything works, with versions, sizes and backups', async () => {
    serve(getOperations, () => ({ data: operations() }));
    renderApp('/operations', administrator());
    expect(await screen.findByText('Everything works.')).toBeVisible();
    expect(screen.getByText('0.3.0')).toBeVisible();
    expect(screen.getByText('81 GB free on disk')).toBeVisible();
    expect(screen.getByText('No job has failed.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'What members see' })).toHaveAttribute('href', '/app/status');
  });

  it('lists what needs attention', async () => {
    const old = new Date(Date.now() - 5 * 86_400_000).toISOString();
    serve(getOperations, () => ({
      data: operations({
        dangers: ['SEED', 'STAFF_MFA'],
        parts: [{ part: 'mail', state: 'down' }],
        processes: [
          process({ runsJobs: false, socketsOpened: 0 }),
          process({ _id: 'two', version: '0.1.0', runsJobs: false, isRedisDown: true, socketsOpened: 0 }),
        ],
        database: { ...operations().database, isReplicaBehind: true },
        mail: { waiting: 3, retrying: 1, oldestWaitingSeconds: 90, problem: 'signIn', sent: 0, dead: 0, unsent: [] },
        jobs: { tasks: [{ task: 'mail.send', due: 4, failed: 2 }], oldestDueSeconds: 1200, failed: [failedJob('1')] },
        backups: { lastBackup: old, lastDrill: null, lastArchived: null },
        storage: { driver: 'disk', freeBytes: 9_000_000_000, totalBytes: 100_000_000_000 },
        certificates: [
          { name: 'Stripe', host: 'api.stripe.com', validUntil: null, problem: 'CERT_HAS_EXPIRED', checkedAt: old },
        ],
      }),
    }));
    renderApp('/operations', administrator());
    const alert = await screen.findByRole('alert');
    for (const problem of [
      'Demo accounts with published passwords can sign in. Set SEED=none on a new database.',
      'Staff can sign in with only a password. Set STAFF_MFA=on.',
      'Mail: Down',
      'The mail server refused our sign-in. 3 emails are waiting.',
      'No process runs jobs.',
      'A job has been waiting for 20 min.',
      '2 jobs failed.',
      'Processes run different versions.',
      'Redis is down. Live messages go through the database.',
      'People open the app, but no live connection gets through. The proxy must pass on the headers Upgrade and Connection.',
      'A replica of the database is down or more than a minute behind.',
      'Certificates to renew: Stripe.',
      'The last backup is 5 days old.',
      'Test a restore: there was no restore drill lately.',
      'The disk of the pictures is almost full: 9 GB free.',
    ])
      expect(within(alert).getByText(problem)).toBeVisible();
  });

  it('warns when no backup has been made', async () => {
    const backups = { lastBackup: null, lastDrill: null, lastArchived: null };
    serve(getOperations, () => ({ data: operations({ backups }) }));
    renderApp('/operations', administrator());
    expect(await screen.findByRole('alert')).toHaveTextContent('No backup has been made yet.');
    expect(screen.queryByText('Everything works.')).toBeNull();
  });

  it('can retry one failed job or all of a task', async () => {
    const jobs = { tasks: [{ task: 'mail.send', due: 0, failed: 2 }], oldestDueSeconds: 0 };
    serve(getOperations, () => ({ data: operations({ jobs: { ...jobs, failed: [failedJob('7'), failedJob('8')] } }) }));
    failWith(retryJobs, new Refusal('UNAVAILABLE', 'The service is not available right now.'));
    const { person } = renderApp('/operations', administrator());
    await person.click(await screen.findByRole('button', { name: 'Retry job 7: mail.send' }));
    expect(await screen.findByText(/Could not retry/)).toBeVisible();
    serve(retryJobs, () => ({ data: { retried: 2 } }));
    serve(getOperations, () => ({ data: operations() }));
    await person.click(screen.getByRole('button', { name: 'Retry all' }));
    expect(await screen.findByText('2 jobs are due again.')).toBeVisible();
    expect(await screen.findByText('No job has failed.')).toBeVisible();
    expect(received(retryJobs).map(({ body }) => body)).toEqual([
      { task: 'mail.send', id: '7' },
      { task: 'mail.send' },
    ]);
  });

  it('can send mail again that was given up', async () => {
    const unsent = [
      { template: 'resetPassword', problem: 'later' as const, count: 12, newestAt: hourAgo() },
      { template: 'decisionMade', problem: 'recipient' as const, count: 1, newestAt: hourAgo() },
    ];
    serve(getOperations, () => ({ data: operations({ mail: { ...operations().mail, unsent } }) }));
    serve(retryMail, () => ({ data: { retried: 12 } }));
    const { person } = renderApp('/operations', administrator());
    expect(await screen.findByText('Decision made: 1 email')).toBeVisible();
    expect(screen.getByText(/^The mailbox doesn’t exist\./)).toBeVisible();
    serve(getOperations, () => ({ data: operations() }));
    await person.click(screen.getByRole('button', { name: 'Send again: Password reset link' }));
    expect(await screen.findByText('12 emails will be sent again within a minute.')).toBeVisible();
    expect(received(retryMail).map(({ body }) => body)).toEqual([
      { kind: { template: 'resetPassword', problem: 'later' } },
    ]);
    expect(screen.queryByText('Unsent mail')).toBeNull();
  });

  it('is open to administrators and, without retries, to auditors', async () => {
    serve(getOperations, () => ({
      data: operations({ jobs: { tasks: [], oldestDueSeconds: 0, failed: [failedJob('7')] } }),
    }));
    const { unmount } = renderApp('/operations', administrator({ staffRole: 'auditor' }));
    await screen.findByText('connect ECONNREFUSED …');
    expect(screen.queryByRole('button', { name: /Retry job/ })).toBeNull();
    unmount();
    renderApp('/operations', moderator());
    await screen.findByRole('heading', { level: 1, name: /Dashboard/ });
    expect(currentAddress()).toBe('/dashboard');
  });
});
