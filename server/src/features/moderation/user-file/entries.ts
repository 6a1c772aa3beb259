import * as z from 'zod/mini';
import {
  type FileEntry,
  type fileEntrySchema,
  fileFactsSchema,
  noteEditMinutes,
} from '#contract/moderation/user-file.ts';
import type { FileKind } from '#contract/roles.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import type { Caller } from '#platform/session/caller.ts';
import { storedText } from '#platform/texts.ts';

/** An entry from its source. */
export interface FoundEntry {
  kind: FileKind;
  /** Identifies it within its kind. */
  key: string;
  at: Date;
  actor_id: string | null;
  actor_name: string | null;
  actor_role: string | null;
  opens: 'report' | 'case' | 'appeal' | 'user' | null;
  opens_id: string | null;
  facts: unknown;
}

/** Until when the author of a note can change it. */
export const editableUntil = (writtenAt: Date) => secondsAfter(writtenAt, noteEditMinutes * 60);

const changesSchema = z.record(z.string(), z.unknown());

/** The facts of an entry; for an event with changes, only the names of the fields. */
function factsOf({ facts }: FoundEntry): FileEntry['facts'] {
  const { changes, ...others } = facts as Record<string, unknown>;
  if (changes === undefined) return fileFactsSchema.parse(others);
  return fileFactsSchema.parse({ ...others, fields: Object.keys(changesSchema.parse(changes ?? {})) });
}

/** An entry for staff. A corrupt one is shown as such, instead of making its page fail. */
export function toEntry(
  found: FoundEntry,
  caller: Pick<Caller, 'accountId'>,
  now: Date,
): z.input<typeof fileEntrySchema> {
  const { kind, key, at, actor_name: name, actor_role: role, opens, opens_id: openId } = found;
  const entry = { _id: `${kind} ${key}`, kind, at };
  try {
    const until = editableUntil(at);
    const isEditable = kind === 'note' && found.actor_id === caller.accountId && now < until;
    return {
      ...entry,
      actor: name === null ? null : { name: storedText(name), role },
      opens: opens === null || openId === null ? null : { type: opens, id: openId },
      facts: factsOf(found),
      ...(isEditable && { editableUntil: until }),
    };
  } catch {
    return { ...entry, isUnreadable: true, actor: null, opens: null, facts: {} };
  }
}
