import { Button, type ButtonProps } from '@mantine/core';
import { IconFlag } from '@tabler/icons-react';
import { Link } from '../../ui/Link.tsx';
import { useText } from '../../ui/text.ts';

/** What the page before tells the form: how the reader knows the person. */
export interface ReportLinkState {
  reportedName: string;
}

interface ReportLinkProps extends Pick<ButtonProps, 'color' | 'size' | 'variant'> {
  user: { _id: string; name: string | null };
  /** The one picture of theirs that it is about. */
  pictureId?: string;
  /** Fetches the form when the link is pointed at or focused. */
  preload: () => void;
}

/** 'Report', for every place where a person is shown: leads to the form about them. */
export function ReportLink({ user, pictureId, preload, ...button }: ReportLinkProps) {
  const t = useText();
  const about = pictureId === undefined ? { user: user._id } : { user: user._id, picture: pictureId };
  const state: ReportLinkState | null = user.name === null ? null : { reportedName: user.name };
  return (
    <Button
      variant="default"
      {...button}
      component={Link}
      to={`/app/support/new?${new URLSearchParams(about).toString()}`}
      state={state}
      leftSection={<IconFlag size={17} stroke={1.75} aria-hidden="true" />}
      onPointerEnter={preload}
      onFocus={preload}
    >
      {pictureId === undefined ? t('Report') : t('Report this picture')}
    </Button>
  );
}
