import { Button, type ButtonProps } from '@mantine/core';
import { IconFlag } from '@tabler/icons-react';
import { Link } from 'react-router';
import { t } from '../../ui/text/text.ts';
import { reportAddress } from './report-subject.ts';

/** What the previous page tells the form: the name of the person. */
export interface ReportLinkState {
  reportedName: string;
}

interface ReportLinkProps extends Pick<ButtonProps, 'color' | 'size' | 'variant'> {
  /** Null where the person is only known by the match. */
  user: { _id: string; name: string | null } | null;
  /** The picture to report. */
  pictureId?: string;
  /** The match whose messages to report. */
  matchId?: string;
}

/** 'Report', wherever a person is or was shown: leads to the report form. */
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
