import type { TimelineEntry } from '#contract/moderation/report.ts';
import { priorityWords, statusWords } from '../report-words.ts';

/** What happened as a sentence; `{actor}` is who did it, `{from}` and `{to}` what changed. */
const sentences: Record<TimelineEntry['kind'], string> = {
  filed: '{actor} filed the report',
  raised: 'The priority was raised from {from} to {to}',
  status: '{actor} changed the status from {from} to {to}',
  undone: '{actor} took a change back: from {from} to {to}',
  priority: '{actor} changed the priority from {from} to {to}',
  reply: '{actor} replied',
  note: '{actor} left an internal note',
};

/** For what came without the values it changed. */
const bareSentences: Partial<Record<TimelineEntry['kind'], string>> = {
  raised: 'The priority was raised',
  status: '{actor} changed the status',
  undone: '{actor} took a change back',
  priority: '{actor} changed the priority',
};

const values: Record<string, string> = { ...statusWords, ...priorityWords };

/** The roles of those who act on a report, in words. */
export const actorRoles: Record<TimelineEntry['actor']['role'], string> = {
  reporter: 'Reporter',
  admin: 'Administrator',
  moderator: 'Moderator',
  system: 'System',
};

/** The sentence of one entry, and the words for what it changed. */
export function timelineSentence({ kind, from, to }: TimelineEntry): { text: string; from: string; to: string } {
  const bare = from === null || to === null ? bareSentences[kind] : undefined;
  return { text: bare ?? sentences[kind], from: values[from ?? ''] ?? from ?? '', to: values[to ?? ''] ?? to ?? '' };
}
