import { plural, t } from '@lingui/core/macro';
import { Box, Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode, Ref } from 'react';
import { Notice } from '../../feedback/Notice.tsx';
import { Skeleton } from '../../feedback/PageStates.tsx';
import classes from './list.module.css';

/** The number of selected rows with the actions for them, which stays in view while the list scrolls. */
export function SelectionBar({ label, count, children }: { label: string; count: number; children: ReactNode }) {
  return (
    <div className={classes.selection} role="group" aria-label={label}>
      <strong>{t`${plural(count, { one: '# selected', other: '# selected' })}`}</strong>
      {children}
    </div>
  );
}

interface ListCaptionProps {
  /** The number of rows, announced when it changes. */
  text: ReactNode;
  isTextHidden?: boolean;
  hint?: string | false;
  /** Clears the filters; undefined if none are set. */
  onClear?: (() => void) | undefined;
  /** Shown at the end of the line: the age of the data. */
  end?: ReactNode;
  ref?: Ref<HTMLDivElement>;
  children?: ReactNode;
}

/** The line between the filters and the list. */
export function ListCaption({ text, isTextHidden = false, hint, onClear, end, ref, children }: ListCaptionProps) {
  return (
    <Group gap="0.35rem 1rem" mih="2.25rem" mb="0.6rem" className={classes.caption ?? ''} ref={ref}>
      <Text role="status" c="dimmed" fw={600} {...(isTextHidden && { className: 'visually-hidden' })}>
        {text}
      </Text>
      {hint && (
        <Text c="dimmed" className={classes.hint ?? ''}>
          {hint}
        </Text>
      )}
      {children}
      {onClear && (
        <Button className={classes.clear} variant="subtle" size="compact-sm" onClick={onClear}>
          {t`Clear filters`}
        </Button>
      )}
      <Box ms="auto">{end}</Box>
    </Group>
  );
}

/** Placeholders for the caption, the table head and the rows while they are loading. */
export function ListSkeleton({ rowHeight }: { rowHeight: string }) {
  return (
    <Stack gap="0.4rem" pt="2.85rem">
      <Skeleton height="2.75rem" />
      <Skeleton height={rowHeight} count={8} />
    </Stack>
  );
}

interface MoreRowsProps {
  query: {
    isFetchingNextPage: boolean;
    isFetchNextPageError: boolean;
    error: Error | null;
    fetchNextPage: () => unknown;
  };
  loadingText: string;
  errorText: (error: string) => string;
}

/** Shown below a list while more rows are loading, or if they could not be loaded. */
export function MoreRows({ query, loadingText, errorText }: MoreRowsProps) {
  if (query.isFetchNextPageError) {
    return (
      <Box mt="0.75rem">
        <Notice kind="error" onRetry={query.fetchNextPage}>
          {errorText(query.error?.message ?? '')}
        </Notice>
      </Box>
    );
  }
  return (
    <p role="status" className={classes.more}>
      {query.isFetchingNextPage && loadingText}
    </p>
  );
}
