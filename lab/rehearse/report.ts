import type { Row } from './measure.ts';
import type { Statement, Worked } from './statements.ts';

const seconds = (value: number) => value.toFixed(1);

function target({ mostSeconds, mostFailed }: Row['fault']): string {
  if (mostSeconds !== undefined) return `writes within ${mostSeconds} s`;
  return mostFailed === 0 ? 'no request fails' : `≤ ${(mostFailed ?? 1) * 100} % fail`;
}

/** The results as a table in Markdown, and what else was wrong below it. */
export function tableOf(rows: Row[]): string {
  const heads = [
    ...['fault', 'requests', 'failed', 'longest without a write (s)', 'last failure (s)', 'sockets back (s)'],
    ...['writes', 'lost', 'messages', 'lost', 'doubled', 'target', 'result'],
  ];
  const cells = rows.map((row) => [
    row.fault.about,
    `${row.requests} (${row.perSecond}/s)`,
    `${row.failed} (${((row.failed / row.requests) * 100).toFixed(1)} %)`,
    seconds(row.longestS),
    seconds(row.lastFailureS),
    seconds(row.socketsS),
    ...[row.acknowledged, row.lost, row.messages, row.messagesLost, row.messagesDoubled].map(String),
    target(row.fault),
    row.isKept ? 'kept' : 'MISSED',
  ]);
  const lines = [heads, heads.map(() => '---'), ...cells].map((line) => `| ${line.join(' | ')} |`);
  const notes = rows.flatMap(({ fault, failures, problems, worked }) => [
    ...(worked === null
      ? []
      : [`- ${fault.name}: ${Math.round(100 * worked.onReplicas)} % of the time in statements was on replicas`]),
    ...(failures === '' ? [] : [`- ${fault.name}: failed requests: ${failures}`]),
    ...problems.map((problem) => `- ${fault.name}: ${problem}`),
  ]);
  return [...lines, '', ...notes].join('\n');
}

const listed = 15;
const textMost = 110;

/** The statements that cost most on the primary and on replicas, one a line. */
export function statementsOf({ ms, onReplicas, onReplicasPlanned, primary, replicas }: Worked): string {
  const list = (where: string, statements: Statement[]) => [
    `${where}:`,
    ...statements.slice(0, listed).map(({ text, calls, ms: spent }) => {
      const words = text
        .replaceAll(/--[^\n]*|\s+/g, ' ')
        .trim()
        .slice(0, textMost);
      return `${((100 * spent) / ms).toFixed(1).padStart(6)} % ${Math.round(spent)} ms, ${calls} calls: ${words}`;
    }),
  ];
  const percent = (share: number) => `${Math.round(100 * share)} %`;
  const share = `${Math.round(ms)} ms in statements, ${percent(onReplicas)} of it on replicas; with planning them, ${percent(onReplicasPlanned)}`;
  return [share, ...list('On the primary', primary), ...list('On replicas', replicas)].join('\n');
}
