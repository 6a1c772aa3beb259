import { Button, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { FileEntry } from '#contract/moderation/user-file.ts';
import { isStaffRole, roleNames } from '#contract/roles.ts';
import { t } from '../../../ui/text/text.ts';
import { Moment } from '../reports/ReportConversation.tsx';
import { shortReportId } from '../reports/report-words.ts';
import { entryWords, kindWords } from './file-words.ts';

/** The pages of what entries open. Texts are translated where they are shown. */
const places = {
  report: ['/reports/', 'Report {id}'],
  case: ['/cases/', 'Case {id}'],
  appeal: ['/appeals/', 'Appeal {id}'],
  user: ['/users/', 'Their page'],
} as const;

function OpenLink({ opens }: { opens: NonNullable<FileEntry['opens']> }) {
  const [place, text] = places[opens.type];
  return <Link to={`${place}${opens.id}`}>{t(text, { id: shortReportId(opens.id) })}</Link>;
}

function personPart({ kind, facts: { person } }: FileEntry): ReactNode {
  if (!person) return t('a deleted account');
  const name = <bdi>{person.name ?? t('Unknown')}</bdi>;
  // A link leads to the page of the other one anyway.
  return kind === 'link' ? name : <Link to={`/users/${person._id}`}>{name}</Link>;
}

interface EntryProps {
  entry: FileEntry;
  /** The current time in ms. */
  now: number;
  onEdit: (entry: FileEntry) => void;
}

function Entry({ entry, now, onEdit }: EntryProps) {
  const { text, values, remarks } = entryWords(entry);
  const { actor, opens, editableUntil } = entry;
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
      text={opens === null ? text : `${text} · {open}`}
      parts={{
        ...Object.fromEntries(Object.entries(values).map(([name, value]) => [name, <bdi key={name}>{value}</bdi>])),
        actor: <strong dir="auto">{actor?.name.trim() || t('System')}</strong>,
        person: personPart(entry),
        open: opens && <OpenLink opens={opens} />,
      }}
      reason={entry.facts.text || null}
      at={entry.at}
      role={about.join(' · ')}
    >
      {isEditable && (
        <Button variant="subtle" size="compact-sm" onClick={() => onEdit(entry)}>
          {t('Edit note')}
        </Button>
      )}
    </Moment>
  );
}

/** Entries of a person's file as sentences, the newest first. */
export function FileEntries({ entries, ...others }: { entries: readonly FileEntry[] } & Omit<EntryProps, 'entry'>) {
  return (
    <Stack component="ol" gap={0} aria-label={t('File')}>
      {entries.map((entry) => (
        <Entry key={entry._id} entry={entry} {...others} />
      ))}
    </Stack>
  );
}
