import type { BenchData } from './data.ts';
import { median, timesOf } from './measure.ts';
import { heading, reportAtMost, reportTimes } from './report.ts';
import { serve } from './service.ts';

const rounds = 500;
/** Until then V8 optimizes functions, which takes up to 20 ms of a request. */
const warmUps = 1000;

/** Checks that the dashboard takes the same time for 10,000 members as for a million. */
export async function benchStatistics(data: BenchData): Promise<void> {
  heading('The figures of the dashboard');
  const measured = async (database: string) => {
    const service = await serve(database, 'admin@heartwood.test');
    await timesOf(service, ['/api/v1/admin/statistics'], warmUps);
    const times = await timesOf(service, ['/api/v1/admin/statistics'], rounds);
    await service.stop();
    return times;
  };
  const small = await measured(await data.small());
  const large = await measured(data.large);
  reportTimes('GET /admin/statistics, 10,000 members', small, 10);
  reportTimes('GET /admin/statistics, 1,000,000 members', large, 10);
  reportAtMost('median of the large one against the small one', median(large) / median(small), 1.5, ' ×');
}
