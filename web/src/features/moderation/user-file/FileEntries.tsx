import { msg, t } from '@lingui/core/macro';
import { Button, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { FileEntry } from '#contract/moderation/user-file.ts';
import { isStaffRole, roleNames } from '#contract/roles.ts';
import { RichText } from '../../../ui/data/RichText.tsx';
import { Time } from '../../../ui/data/Time.tsx';
import { formatNumber } from '../../../ui/text/format.ts';
import { fill } from '../../../ui/text/i18n.ts';
import { Moment } from '../reports/ReportConversation.tsx';
import { shortReportId } from '../reports/report-words.ts';
import { entryWords, kindWords } from './file-words.ts';

/** The pages that entries open. */
const places = {
  report: ['/reports/', msg({ message: 'Report {id}' })],
  case: ['/cases/', msg({ message: 'Case {id}' })],
  appeal: ['/appeals/', msg({ message: 'Appeal {id}' })],
  user: ['/users/', msg`Their page`],
} as const;

function OpenLink({ opens }: { opens: NonNullable<FileEntry['opens']> }) {
  const [place, text] = places[opens.type];
  return <Link to={`${place}${opens.id}`}>{fill(text, { id: shortReportId(opens.id) })}</Link>;
}

function personPart({ kind, facts: { person } }: FileEntry): ReactNode {
  if (!person) return t`a deleted account`;
  const name = <bdi>{person.name ?? t`Unknown`}</bdi>;
  // A link opens the page of the other person anyway.
  return kind === 'link' ? name : <Link to={`/users/${person._id}`}>{name}</Link>;
}

interface EntryProps {
  entry: FileEntry;
  /** The equal emails right before this one, which are folded into it. */
  before?: readonly FileEntry[];
  /** The current time in ms. */
  now: number;
  onEdit: (entry: FileEntry) => void;
}

function Entry({ entry, before = [], now, onEdit }: EntryProps) {
  const { text, values, remarks } = entryWords(entry);
  const { actor, opens, editableUntil } = entry;
  const oldest = before.at(-1);
  const role = actor?.role ?? null;
  const about = [
    t(kindWords[entry.kind]),
    ...(role === null ? [] : [isStaffRole(role) ? t(roleNames[role]) : role]),
    ...remarks,
  ];
  const isEditable = editableUntil !== undefined && Date.parse(editableUntil) > now;
  return (
    <Moment
      kind={entry.kind}
      text={(parts) =>
        [
          fill(text, parts),
          ...(opens === null ? [] : [parts['open']]),
          ...(oldest === undefined ? [] : [parts['times']]),
        ].join(' · ')
      }
      parts={{
        ...Object.fromEntries(Object.entries(values).map(([name, value]) => [name, <bdi key={name}>{value}</bdi>])),
        actor: <strong dir="auto">{actor?.name.trim() || t`System`}</strong>,
        person: personPart(entry),
        open: opens && <OpenLink opens={opens} />,
        times: oldest && (
          <RichText
            text={({ count, time }) => t`${count} times since ${time}`}
            parts={{ count: formatNumber(before.length + 1), time: <Time at={oldest.at} /> }}
          />
        ),
      }}
      reason={entry.facts.text || null}
      at={entry.at}
      role={about.join(' · ')}
    >
      {oldest !== undefined && (
        <details>
          <Text component="summary" fz="0.85rem">
            {t`Show each`}
          </Text>
          <Stack component="ol" gap={0}>
            {[entry, ...before].map((one) => (
              <Entry key={one._id} entry={one} now={now} onEdit={onEdit} />
            ))}
          </Stack>
        </details>
      )}
      {isEditable && (
        <Button variant="subtle" size="compact-sm" onClick={() => onEdit(entry)}>
          {t`Edit note`}
        </Button>
      )}
    </Moment>
  );
}

const isSameMail = (one: FileEntry, other: FileEntry) =>
  [one, other].every(({ kind, facts }) => kind === 'mail' && facts.what !== undefined) &&
  one.facts.what === other.facts.what &&
  one.facts.state === other.facts.state;

/**
 * The entries in runs: consecutive emails about the same thing with the same outcome form one run; every other entry is a run of its own.
 */
function runsOf(entries: readonly FileEntry[]): [FileEntry, ...FileEntry[]][] {
  const runs: [FileEntry, ...FileEntry[]][] = [];
  for (const entry of entries) {
    const run = runs.at(-1);
    if (run !== undefined && isSameMail(run[0], entry)) run.push(entry);
    else runs.push([entry]);
  }
  return runs;
}

/** Entries of a person's file as sentences, newest first. Consecutive equal emails are folded into one that opens, even across pages. */
export function FileEntries({
  entries,
  ...others
}: { entries: readonly FileEntry[] } & Pick<EntryProps, 'now' | 'onEdit'>) {
  return (
    <Stack component="ol" gap={0} aria-label={t`File`}>
      {runsOf(entries).map(([entry, ...before]) => (
        <Entry key={entry._id} entry={entry} before={before} {...others} />
      ))}
    </Stack>
  );
}
