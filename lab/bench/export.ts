import { get } from 'node:http';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { BenchData } from './data.ts';
import { heading, remark, reportAtMost } from './report.ts';
import { serve } from './service.ts';
import { timesOf } from './measure.ts';

const megabyte = 1024 * 1024;
const sampleEveryMs = 50;
const warmingRequests = 50;

/** Measures the memory that an export of all members needs with a fast receiver. */
export async function benchExport(data: BenchData): Promise<void> {
  heading('The export of all members');
  const service = await serve(data.large, 'admin@heartwood.test');
  const read = async (query: string) => {
    const request = get(`${service.baseUrl}/api/v1/admin/users/export${query}`, {
      headers: { authorization: `Bearer ${service.token}` },
    });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    let [lines, bytes] = [0, 0];
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      for (const byte of chunk) if (byte === 10) lines += 1;
    }
    return { lines, bytes };
  };
  // Staff open the list before they export, so load everything it needs first.
  await timesOf(service, ['/api/v1/auth/users?limit=1000'], warmingRequests);
  await read('?search=nobody');
  const before = await service.memory();
  let most = before;
  const sampler = setInterval(() => {
    void service.memory().then((rss) => {
      most = Math.max(most, rss);
    });
  }, sampleEveryMs);
  const started = performance.now();
  const { lines, bytes } = await read('');
  const seconds = (performance.now() - started) / 1000;
  clearInterval(sampler);
  await service.stop();
  remark('lines', lines.toLocaleString('en'));
  remark('size and time', `${Math.round(bytes / megabyte)} MB in ${seconds.toFixed(1)} s`);
  reportAtMost('memory above what the server used before', (most - before) / megabyte, 64, ' MB');
}
