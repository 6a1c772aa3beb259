import { Button, type ButtonProps } from '@mantine/core';
import { IconFlag } from '@tabler/icons-react';
import { Link } from 'react-router';
import { t } from '../../ui/text/text.ts';

/** What the previous page passes to the form: the person's name. */
export interface ReportLinkState {
  reportedName: string;
}

interface ReportLinkProps extends Pick<ButtonProps, 'color' | 'size' | 'variant'> {
  /** Null if the person is only known through the match. */
  user: { _id: string; name: string | null } | null;
  /** The picture to report. */
  pictureId?: string;
  /** The match whose messages to report. */
  matchId?: string;
}

/** The Report link, wherever a person is or was shown: leads to the report form. */
export function ReportLink({ user, pictureId, matchId, ...button }: ReportLinkProps) {
  const name = user?.name ?? null;
  const state: ReportLinkState | null = name === null ? null : { reportedName: name };
  const text = pictureId === undefined ? t('Report') : t('Report this picture');
  return (
    <Button
      variant="default"
      {...button}
      component={Link}
      to={reportAddress({ userId: user?._id ?? null, pictureId: pictureId ?? null, matchId: matchId ?? null })}
      state={state}
      leftSection={<IconFlag size={17} stroke={1.75} aria-hidden="true" />}
    >
      {user === null ? t('Report what was written here') : text}
    </Button>
  );
}

/**
 * What a report is about: a person, one of their pictures, a match's messages or one of them, or, if everything is
 * null, a general problem.
 */
export interface ReportSubject {
  userId: string | null;
  pictureId: string | null;
  matchId: string | null;
  /** The message's number in the conversation. */
  seq: number | null;
}

const placePattern = /^[1-9]\d{0,8}$/;

/** The subject of the form in an address. */
export function subjectAt(params: URLSearchParams): ReportSubject {
  const matchId = params.get('match') || null;
  const place = params.get('message') ?? '';
  return {
    userId: params.get('user') || null,
    pictureId: params.get('picture') || null,
    matchId,
    seq: matchId !== null && placePattern.test(place) ? Number(place) : null,
  };
}

/** The address of the report form for a subject. */
export function reportAddress({ userId, pictureId, matchId, seq }: Partial<ReportSubject>): string {
  const params = { user: userId, picture: pictureId, match: matchId, message: seq };
  const given = Object.entries(params).flatMap(([name, value]) => (value == null ? [] : [[name, `${value}`]]));
  return `/app/support/new?${new URLSearchParams(given).toString()}`;
}

/** Whether it is about a person; in a match that has ended the person is not named. */
export function isAboutPerson({ userId, matchId }: ReportSubject): boolean {
  return userId !== null || matchId !== null;
}
