import { reportPriorities, reportStatuses, reportTypes, reportSorts } from '#contract/moderation/reports.ts';
import type { BenchData } from './data.ts';
import { timesOf } from './measure.ts';
import { heading, reportTimes } from './report.ts';
import { serve } from './service.ts';

const path = (query: Record<string, string | number>) =>
  `/api/v1/reports/reports?${new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)])).toString()}`;

const filters = ['', ...reportStatuses].flatMap((status) =>
  ['', ...reportTypes].flatMap((problem_type) =>
    ['', ...reportPriorities].map((priority) => ({ status, problem_type, priority })),
  ),
);

/** Terms with few to many results: words of the texts, names, a short id, an address. */
const terms = [
  'zzzz',
  'charged twice',
  'gift cards',
  'please',
  'the',
  'phone',
  'anna',
  'smith',
  'maria',
  'family',
  'script',
  'رسائل',
  'メッセージ',
  'a1b2c3',
  'ada@heartwood.test',
  'ab',
];

/** A moderator's queue of 200,000 reports: lists by every filter, searches, figures. */
export async function benchReports(data: BenchData): Promise<void> {
  await data.fileReports();
  const service = await serve(data.large, 'admin@heartwood.test');
  try {
    heading('The reports screen, 200,000 reports');
    await timesOf(service, filters.slice(0, 40).map(path), 2);
    for (const sortBy of reportSorts) {
      const asked = filters.flatMap((filter) => [1, 2, 5].map((page) => path({ ...filter, sortBy, page })));
      reportTimes(`every status × type × priority by ${sortBy}, pages 1, 2, 5`, await timesOf(service, asked), 30);
    }
    const hundred = filters.map((filter) => path({ ...filter, limit: 100 }));
    reportTimes('the same by createdAt, 100 at once', await timesOf(service, hundred), 80);
    for (const term of terms) {
      reportTimes(`search ${JSON.stringify(term)}`, await timesOf(service, [path({ search: term })], 10), 100);
    }
    const combined = terms.flatMap((search) => filters.slice(0, 24).map((filter) => path({ ...filter, search })));
    reportTimes('searches with filters', await timesOf(service, combined), 100);
    reportTimes('statistics', await timesOf(service, ['/api/v1/reports/report/stats/statistics'], 500), 10);
  } finally {
    await service.stop();
  }
}
