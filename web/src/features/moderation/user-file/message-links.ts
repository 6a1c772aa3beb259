import type { MessageLink } from '#contract/moderation/own-cases.ts';

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const link = new RegExp(`/reports/(${uuid})#message-([1-9]\\d{0,9})$`);

/** The address of a message in the evidence of a report. */
export const messageAddress = (reportId: string, seq: number) => `/reports/${reportId}#message-${seq}`;

/** The links to messages in `text`, one on each line; other lines are left out. */
export function readMessageLinks(text: string): MessageLink[] {
  return text.split('\n').flatMap((line) => {
    const [, reportId, seq] = link.exec(line.trim()) ?? [];
    return reportId === undefined ? [] : [{ reportId, seq: Number(seq) }];
  });
}
