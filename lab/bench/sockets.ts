import { setTimeout as pause } from 'node:timers/promises';
import { createPool } from '../../server/src/platform/db/pool.ts';
import type { BenchData } from './data.ts';
import type { Times } from './measure.ts';
import { heading, remark, reportAtMost, reportTimes } from './report.ts';
import { serve, type Service } from './service.ts';
import { costOf } from './usage.ts';
import { carry, connectAll, membersFor, placeMatches, posting, twice, type Writer } from './writers.ts';

/** Both ends of a socket are files, here and in the server: `ulimit -n` must allow them. */
const idleSockets = 10_000;
const busy = { sockets: 5000, perSecond: 300, seconds: 20 };
/** Each of them is noted as online once in this time. */
const onlineSeconds = 30;
const megabyte = 1024 * 1024;

/** What many members who are only there cost one process, and how fast messages arrive among many who write, on two. */
export async function benchSockets(data: BenchData): Promise<void> {
  const pool = createPool(data.large);
  try {
    await idle(data, await membersFor(pool, idleSockets));
    await writing(data, pool, await membersFor(pool, busy.sockets));
  } finally {
    await pool.end();
  }
}

async function idle(data: BenchData, ids: string[]): Promise<void> {
  heading(`${ids.length} sockets that send nothing, one process`);
  const service = await serve(data.large, 'ada@heartwood.test');
  try {
    const tokens = (await service.ask({ signIn: ids })) as string[];
    const before = await service.memory();
    const writers = await connectAll([service], tokens, []);
    const after = await service.memory();
    remark('memory before', `${(before / megabyte).toFixed(0)} MB`);
    remark('each socket', `${((after - before) / ids.length / 1024).toFixed(1)} KB`);
    reportAtMost('memory of the process', after / megabyte, 600, ' MB');
    const { serverMs, databaseMs } = await costOf([service], onlineSeconds, () => pause(onlineSeconds * 1000));
    remark(
      'CPU a second while they are online',
      `${serverMs.toFixed(1)} ms, and ${databaseMs.toFixed(1)} ms of the database`,
    );
    writers.forEach(({ socket }) => socket.disconnect());
  } finally {
    await service.stop();
  }
}

async function writing(data: BenchData, pool: ReturnType<typeof createPool>, ids: string[]): Promise<void> {
  heading(`Messages between ${ids.length} sockets of two processes`);
  const matchIds = await placeMatches(pool, ids);
  const services = await twice(() => serve(data.large, 'ada@heartwood.test'));
  try {
    const tokens = (await services[0].ask({ signIn: ids })) as string[];
    const writers = await connectAll(services, tokens, matchIds);
    const post = posting(services);
    await carry(writers, post, busy.perSecond, 5);
    const { times, sent } = await carry(writers, post, busy.perSecond, busy.seconds);
    reportTimes(`a message from sending to arriving, ${busy.perSecond} a second`, times, 100);
    remark('of which arrived', `${times.length} of ${sent}`);
    await type(services, writers);
    writers.forEach(({ socket }) => socket.disconnect());
  } finally {
    for (const service of services) await service.stop();
    await pool.query('delete from conversation where id = any ($1::uuid[])', [matchIds]);
    await pool.query('delete from match where id = any ($1::uuid[])', [matchIds]);
  }
}

/** What it costs that one person of each match is seen to type. */
async function type(services: [Service, Service], writers: Writer[]): Promise<void> {
  const typing = writers.filter((_, index) => index % 2 === 0);
  const sentAt = new Map<string, number>();
  const times: Times = [];
  for (const { socket } of writers)
    socket.on('event', ({ kind, matchId }: { kind: string; matchId: string }) => {
      const at = sentAt.get(matchId);
      if (kind === 'typing' && at !== undefined) times.push(performance.now() - at);
    });
  const { serverMs, databaseMs } = await costOf(services, typing.length, async () => {
    const started = performance.now();
    for (const [index, { socket, matchId }] of typing.entries()) {
      const due = started + (index * 1000) / busy.perSecond;
      while (performance.now() < due) await pause(2);
      sentAt.set(matchId, performance.now());
      socket.emit('typing', { matchId });
    }
    await pause(1000);
  });
  reportTimes(
    `typing from sending to arriving, ${busy.perSecond} a second`,
    times.sort((a, b) => a - b),
    100,
  );
  remark('of which arrived', `${times.length} of ${typing.length}`);
  remark('CPU of it', `${serverMs.toFixed(2)} ms, and ${databaseMs.toFixed(2)} ms of the database`);
}
