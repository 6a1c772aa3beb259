import { ActionIcon, Loader } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import classes from './Freshness.module.css';
import { useText } from '../text/text.ts';
import { useNow } from '../data/use-now.ts';
import { isOutdated, type Refreshable, useRefresh } from '../data/use-refresh.ts';

const minuteMs = 60_000;

/** How old the data is, once that is more than a minute; and that it could not be updated, as an alert after a try by hand. */
export function Age({
  query,
  isTold = false,
}: {
  query: Pick<Refreshable, 'dataUpdatedAt' | 'error' | 'isFetchNextPageError'>;
  isTold?: boolean;
}) {
  const t = useText();
  const now = useNow(10_000);
  const minutes = query.dataUpdatedAt === 0 ? 0 : Math.floor((now - query.dataUpdatedAt) / minuteMs);
  const isOld = isOutdated(query);
  return (
    <>
      {isTold && isOld ? (
        <span role="alert" className={classes.failed}>
          {t('Could not be updated: {error}', { error: t(query.error?.message ?? '') })}
        </span>
      ) : (
        <span role="status" className={classes.failed}>
          {isOld && t('Could not be updated')}
        </span>
      )}
      {minutes >= 1 && (
        <span className={classes.age}>
          {t('Updated {minutes, plural, one {# minute} other {# minutes}} ago', { minutes })}
        </span>
      )}
    </>
  );
}

/** The data's age, and a button that asks anew; whether that failed is said beside it. */
export function Freshness({ query, onFresh }: { query: Refreshable; onFresh?: () => void }) {
  const t = useText();
  const { hasFailed, refresh } = useRefresh(query, onFresh);
  return (
    <div className={classes.freshness}>
      <Age query={query} isTold={hasFailed} />
      <ActionIcon
        variant="default"
        size="lg"
        aria-label={t('Refresh')}
        title={t('Refresh')}
        aria-disabled={query.isFetching || undefined}
        onClick={() => {
          if (!query.isFetching) void refresh();
        }}
      >
        {query.isFetching ? <Loader size="xs" aria-hidden="true" /> : <IconRefresh size={18} stroke={1.75} />}
      </ActionIcon>
    </div>
  );
}
