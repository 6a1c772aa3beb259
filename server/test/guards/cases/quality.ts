import { system } from '../../../src/features/moderation/cases/case-event.ts';
import { publishReport } from '../../../src/features/moderation/transparency/make.ts';
import { everyone, permitted, type Row } from '../people.ts';
import type { CallRequest, Scene } from '../requests.ts';

/** The year before, of which a report exists. */
async function reportedYear({ test }: Scene): Promise<CallRequest> {
  const year = test.clock.now().getUTCFullYear() - 1;
  await publishReport(test.db, year, system, test.clock.now());
  return { params: { year: String(year) } };
}

/** A valid request for every endpoint of transparency reports. */
export const qualityRequests: Record<string, (scene: Scene) => CallRequest | Promise<CallRequest>> = {
  'GET /transparency': () => ({}),
  'GET /transparency/schema': () => ({}),
  'GET /transparency/{year}/report': reportedYear,
  'GET /transparency/{year}/figures': reportedYear,
  'GET /transparency/{year}/statements': reportedYear,
  'POST /admin/transparency': ({ test }) => ({ body: { year: test.clock.now().getUTCFullYear() - 1 } }),
};

/** Who may call which of them: reports are public. */
export const qualityRows: Record<string, Row> = {
  'GET /transparency': { cells: everyone(200) },
  'GET /transparency/schema': { cells: everyone(200) },
  'GET /transparency/{year}/report': { cells: everyone(200) },
  'GET /transparency/{year}/figures': { cells: everyone(200) },
  'GET /transparency/{year}/statements': { cells: everyone(200) },
  'POST /admin/transparency': { cells: permitted('audit.verify', 200) },
};
