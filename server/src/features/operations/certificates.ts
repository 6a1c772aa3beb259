import { connect } from 'node:tls';
import { sql } from 'kysely';
import type { Certificate } from '#contract/operations.ts';
import type { Config } from '#platform/config/config.ts';
import type { Db } from '#platform/db/db.ts';
import { job } from '#platform/jobs/job.ts';

const answersWithinMs = 5000;
const portOf: Record<string, number> = { 'https:': 443, 'smtps:': 465, 'rediss:': 6379 };

/** A host whose certificate matters to this installation. */
export interface Peer {
  name: string;
  host: string;
  port: number;
  protocol: string;
}

/** The hosts to which this installation or its members connect with TLS. Database connections check certificates when they open. */
export function peersOf({ publicUrl, mail, media, payments, redisUrl, signIn, house }: Config): Peer[] {
  const { storage, check } = media;
  const addresses: [string, string | null | undefined][] = [
    ['This service', publicUrl],
    ['Mail', mail.smtpUrl],
    ['Pictures', storage.driver === 's3' ? storage.endpoint : null],
    ['Picture check', check?.url],
    ['Redis', redisUrl],
    ['Stripe', payments.provider === 'stripe' ? (payments.apiBase ?? 'https://api.stripe.com') : null],
    ['Sign-in of staff', house?.issuer],
    ['Google', signIn.google?.jwksUrl],
    ['Facebook', signIn.facebook?.graphUrl],
  ];
  return addresses.flatMap(([name, address]) => {
    if (address === null || address === undefined) return [];
    const { protocol, hostname: host, port } = new URL(address);
    const usual = portOf[protocol];
    return usual === undefined ? [] : [{ name, host, port: port === '' ? usual : Number(port), protocol }];
  });
}

/** Reads the certificate that a host presents, even if it is not trusted. */
export async function readCertificate({ name, host, port }: Omit<Peer, 'protocol'>, now: Date) {
  const { promise, resolve } = Promise.withResolvers<{ validUntil: Date | null; problem: string | null }>();
  const socket = connect({ host, port, servername: host, rejectUnauthorized: false, timeout: answersWithinMs }, () => {
    const until = new Date(socket.getPeerCertificate().valid_to);
    // Some reasons are errors, others only error codes.
    const problem: unknown = socket.authorized ? null : socket.authorizationError;
    resolve({
      validUntil: Number.isNaN(until.getTime()) ? null : until,
      problem:
        problem instanceof Error ? ((problem as { code?: string }).code ?? problem.name) : (problem as string | null),
    });
  });
  socket.on('timeout', () => resolve({ validUntil: null, problem: 'ETIMEDOUT' }));
  socket.on('error', (error: NodeJS.ErrnoException) =>
    resolve({ validUntil: null, problem: error.code ?? error.name }),
  );
  const found = await promise;
  socket.destroy();
  return { name, host, checkedAt: now, ...found };
}

/** The result of the last check; empty before the first. */
export async function keptCertificates(db: Db): Promise<Certificate[]> {
  const row = await db.selectFrom('installation').select('value').where('name', '=', 'certificates').executeTakeFirst();
  return (row?.value ?? []) as Certificate[];
}

/** Checks all certificates once a day. */
export const certificateJob = job({
  name: 'operations.certificates',
  cron: '23 5 * * *',
  async run({ config, db, clock }) {
    const now = clock.now();
    // One that can't be read alerts until the next check, so it is asked twice.
    const read = async (peer: Peer) => {
      const first = await readCertificate(peer, now);
      return first.validUntil === null ? await readCertificate(peer, now) : first;
    };
    const found = JSON.stringify(await Promise.all(peersOf(config).map(read)));
    await sql`insert into installation (name, value) values ('certificates', ${found}::jsonb)
      on conflict (name) do update set value = excluded.value`.execute(db);
  },
});
