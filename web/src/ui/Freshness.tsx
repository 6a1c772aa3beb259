import { ActionIcon, Loader } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import classes from './Freshness.module.css';
import { useText } from './text.ts';
import { useNow } from './use-now.ts';

const minuteMs = 60_000;

interface FreshnessProps {
  query: { dataUpdatedAt: number; isFetching: boolean; refetch: () => unknown };
}

/** Asks anew by a button, and says how old the data is once it is more than a minute. */
export function Freshness({ query }: FreshnessProps) {
  const t = useText();
  const now = useNow(10_000);
  const minutes = query.dataUpdatedAt === 0 ? 0 : Math.floor((now - query.dataUpdatedAt) / minuteMs);
  return (
    <div className={classes.freshness}>
      {minutes >= 1 && (
        <span className={classes.age}>
          {t('Updated {minutes, plural, one {# minute} other {# minutes}} ago', { minutes })}
        </span>
      )}
      <ActionIcon
        variant="default"
        size="lg"
        aria-label={t('Refresh')}
        title={t('Refresh')}
        aria-disabled={query.isFetching || undefined}
        onClick={() => {
          if (!query.isFetching) void query.refetch();
        }}
      >
        {query.isFetching ? <Loader size="xs" aria-hidden="true" /> : <IconRefresh size={18} stroke={1.75} />}
      </ActionIcon>
    </div>
  );
}
