import { writeFileSync } from 'node:fs';
import type { Profiler } from 'node:inspector';
import { resolve } from 'node:path';
import type { BenchData } from './data.ts';
import { fillDecks } from './discovery-data.ts';
import { flameGraph } from './flame-graph.ts';
import { type Call, load } from './load.ts';
import { heading, remark, reportAtMost } from './report.ts';
import { serve } from './service.ts';

const clients = 4;
const members = 500;
const seconds = { warm: 10, profiled: 20 };
const target = resolve(import.meta.dirname, '../../docs/discovery-flame.svg');

/** Draws where the server's main thread spends its time for pages of cards, as a picture for docs/performance.md. */
export async function benchFlame(data: BenchData): Promise<void> {
  heading('A flame graph of GET /discovery');
  const { asking } = await fillDecks(data.large, (line) => process.stdout.write(`${line}\n`));
  const service = await serve(data.large, 'ada@heartwood.test');
  try {
    const tokens = (await service.ask({ signIn: asking.slice(0, members) })) as string[];
    const calls = tokens.map((token): Call => ({
      method: 'GET',
      path: '/api/v1/discovery?limit=20&pictures=once',
      token,
    }));
    await load(service, calls, { clients, seconds: seconds.warm });
    await service.ask({ profile: 'start' });
    const { times } = await load(service, calls, { clients, seconds: seconds.profiled });
    const profile = (await service.ask({ profile: 'stop' })) as Profiler.Profile;
    const svg = flameGraph(profile, 'GET /discovery, 20 cards: time of the server’s main thread');
    writeFileSync(target, svg);
    remark('pages', `${times.length}`);
    reportAtMost('docs/discovery-flame.svg', svg.length / 1024, 150, ' KB');
  } finally {
    await service.stop();
  }
}
