import { createServer } from 'node:http';
import type { BenchData } from './data.ts';
import { fillDecks } from './discovery-data.ts';
import { type Call, load } from './load.ts';
import { median } from './measure.ts';
import { heading, remark, reportAtMost } from './report.ts';
import { serve, type Service } from './service.ts';
import { usagePer } from './usage.ts';

const clients = 8;
const members = 200;
const paths = ['/auth/profile', '/discovery?limit=20&pictures=once', '/likes/received', '/matches', '/notifications'];
const rounds = 10;
const secondsPerRound = 6;
const shares = { off: null, 'one in a hundred': 0.01, all: 1 };
type Share = keyof typeof shares;
const limitOfOneInHundred = 1.03;

/**
 * What traces and metrics cost the server: CPU per request of the same pages with no collector, with one in a hundred requests traced (the
 * default), and with all. Servers take turns, so that other work on the machine affects all three alike.
 */
export async function benchTracing(data: BenchData): Promise<void> {
  heading('Tracing: CPU of the server per request');
  const { asking } = await fillDecks(data.large, (line) => process.stdout.write(`${line}\n`));
  const collector = createServer((request, response) => {
    request.resume().on('end', () => response.setHeader('content-type', 'application/json').end('{}'));
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  const { port } = collector.address() as { port: number };
  const servers = new Map<Share, Service>();
  try {
    for (const [name, share] of Object.entries(shares) as [Share, number | null][])
      servers.set(name, await serve(data.large, 'ada@heartwood.test', [], collectorSettings(port, share)));
    await compare(servers, asking.slice(0, members));
  } finally {
    for (const server of servers.values()) await server.stop();
    collector.close();
  }
}

const collectorSettings = (port: number, share: number | null): NodeJS.ProcessEnv =>
  share === null
    ? {}
    : { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`, OTEL_TRACES_SAMPLER_ARG: String(share) };

async function compare(servers: Map<Share, Service>, ids: string[]): Promise<void> {
  const calls = new Map<Share, Call[]>();
  for (const [name, server] of servers) {
    const tokens = (await server.ask({ signIn: ids })) as string[];
    calls.set(
      name,
      tokens.flatMap((token) => paths.map((path): Call => ({ method: 'GET', path: `/api/v1${path}`, token }))),
    );
    await load(server, calls.get(name) ?? [], { clients, seconds: secondsPerRound });
  }
  const names = [...servers.keys()];
  const cost = new Map<Share, number[]>(names.map((name) => [name, []]));
  // Counted from the end of a server's last turn: it sends its spans five seconds later, while others are asked.
  const usage = new Map(
    await Promise.all([...servers].map(async ([name, server]) => [name, await server.usage()] as const)),
  );
  for (let round = 0; round < rounds; round += 1) {
    // Each server comes first equally often.
    for (const name of [...names.slice(round % names.length), ...names.slice(0, round % names.length)]) {
      const server = servers.get(name);
      const before = usage.get(name);
      if (server === undefined || before === undefined) continue;
      const { times } = await load(server, calls.get(name) ?? [], { clients, seconds: secondsPerRound });
      const after = await server.usage();
      usage.set(name, after);
      cost.get(name)?.push(usagePer(times.length, before, after).serverMs);
    }
  }
  const off = cost.get('off') ?? [];
  for (const [name, perRound] of cost) {
    remark(`${name}: CPU per request`, `${median(perRound.toSorted((a, b) => a - b)).toFixed(3)} ms`);
    const ratio = median(perRound.map((ms, round) => ms / (off[round] ?? 1)).toSorted((a, b) => a - b));
    if (name === 'one in a hundred') reportAtMost(`${name}, against none`, ratio, limitOfOneInHundred, ' ×');
    else if (name === 'all') remark(`${name}, against none`, `${ratio.toFixed(2)} ×`);
  }
}
