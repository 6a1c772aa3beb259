import { Button, type ButtonProps } from '@mantine/core';
import { IconFlag } from '@tabler/icons-react';
import { Link } from '../../ui/Link.tsx';
import { useText } from '../../ui/text.ts';

/** What the page before tells the form: how the reader knows the person. */
export interface ReportLinkState {
  reportedName: string;
}

interface ReportLinkProps extends Pick<ButtonProps, 'size' | 'variant'> {
  user: { _id: string; name: string | null };
  /** Fetches the form when the link is pointed at or focused. */
  preload: () => void;
}

/** 'Report', for every place where a person is shown: leads to the form about them. */
export function ReportLink({ user, preload, ...button }: ReportLinkProps) {
  const t = useText();
  const state: ReportLinkState | null = user.name === null ? null : { reportedName: user.name };
  return (
    <Button
      variant="default"
      {...button}
      component={Link}
      to={`/app/support/new?${new URLSearchParams({ user: user._id }).toString()}`}
      state={state}
      leftSection={<IconFlag size={17} stroke={1.75} aria-hidden="true" />}
      onPointerEnter={preload}
      onFocus={preload}
    >
      {t('Report')}
    </Button>
  );
}
