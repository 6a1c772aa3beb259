import { t } from '@lingui/core/macro';
import { Button, type ButtonProps } from '@mantine/core';
import { IconFlag } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { Person } from '#contract/profiles/user.ts';

/** Data that the previous page passes to the form, such as the person's name. */
export interface ReportLinkState {
  reportedName: string;
  /** The reported note. */
  note?: string;
}

interface ReportLinkProps extends Pick<ButtonProps, 'c' | 'color' | 'fw' | 'size' | 'variant'> {
  /** Null if the person is only known through the match. */
  user: { _id: string; name: string | null } | null;
  /** The picture to report. */
  pictureId?: string;
  /** The accessible name if a page has several of these links. It starts with the visible text. */
  label?: string;
  /** The match whose messages are reported. */
  matchId?: string;
  /** The note of their like, if it is reported. */
  note?: string;
}

/** A report link that does not compete with what it reports. */
export const quietLink = { variant: 'subtle', size: 'compact-sm', color: 'gray', c: 'dimmed', fw: 400 } as const;

/**
 * The Report link for a person in a list, or for the note of their like: small below a note, otherwise as large as
 * other menu items.
 */
export const reportOf = ({ _id, firstName, name }: Person, note?: string, isInMenu = false) => (
  <ReportLink
    user={{ _id, name: firstName ?? name }}
    {...(note !== undefined && { note, ...(!isInMenu && quietLink) })}
  />
);

/** A link to the report form, used wherever a person is or was shown. */
export function ReportLink({ user, pictureId, label, matchId, note, ...button }: ReportLinkProps) {
  const name = user?.name ?? null;
  const state: ReportLinkState | null =
    name === null ? null : { reportedName: name, ...(note !== undefined && { note }) };
  const text = note !== undefined ? t`Report this note` : pictureId === undefined ? t`Report` : t`Report picture`;
  return (
    <Button
      variant="default"
      {...button}
      aria-label={label}
      component={Link}
      to={reportAddress({
        userId: user?._id ?? null,
        pictureId: pictureId ?? null,
        matchId: matchId ?? null,
        isNote: note !== undefined,
      })}
      state={state}
      leftSection={<IconFlag size={17} stroke={1.75} aria-hidden="true" />}
    >
      {user === null ? t`Report what was written here` : text}
    </Button>
  );
}

/**
 * The subject of a report: a person, one of their pictures, the note of their like, all messages of a match or one of
 * them, or a general problem if everything is null.
 */
export interface ReportSubject {
  userId: string | null;
  pictureId: string | null;
  matchId: string | null;
  /** The number of the message in the conversation. */
  seq: number | null;
  isNote: boolean;
}

const placePattern = /^[1-9]\d{0,8}$/;

/** Reads the subject of the form from an address. */
export function subjectAt(params: URLSearchParams): ReportSubject {
  const matchId = params.get('match') || null;
  const place = params.get('message') ?? '';
  const userId = params.get('user') || null;
  return {
    userId,
    pictureId: params.get('picture') || null,
    matchId,
    seq: matchId !== null && placePattern.test(place) ? Number(place) : null,
    isNote: userId !== null && matchId === null && params.has('note'),
  };
}

/** The address of the report form for a subject. */
export function reportAddress({ userId, pictureId, matchId, seq, isNote }: Partial<ReportSubject>): string {
  const params = { user: userId, picture: pictureId, match: matchId, message: seq, note: isNote ? 1 : null };
  const given = Object.entries(params).flatMap(([name, value]) => (value == null ? [] : [[name, `${value}`]]));
  return `/app/support/new?${new URLSearchParams(given).toString()}`;
}

/** Whether a report is about a person. If their match has ended, the person is not named. */
export function isAboutPerson({ userId, matchId }: ReportSubject): boolean {
  return userId !== null || matchId !== null;
}
