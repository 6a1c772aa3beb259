import { ActionIcon, Loader } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import classes from './Freshness.module.css';
import { useText } from './text.ts';
import { useNow } from './use-now.ts';

const minuteMs = 60_000;

interface Fetched {
  dataUpdatedAt: number;
}

/** How old the data is, once that is more than a minute. */
export function Age({ query }: { query: Fetched }) {
  const t = useText();
  const now = useNow(10_000);
  const minutes = query.dataUpdatedAt === 0 ? 0 : Math.floor((now - query.dataUpdatedAt) / minuteMs);
  if (minutes < 1) return null;
  return (
    <span className={classes.age}>
      {t('Updated {minutes, plural, one {# minute} other {# minutes}} ago', { minutes })}
    </span>
  );
}

/** The data's age, and a button that asks anew. */
export function Freshness({ query }: { query: Fetched & { isFetching: boolean; refetch: () => unknown } }) {
  const t = useText();
  return (
    <div className={classes.freshness}>
      <Age query={query} />
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
