import { plural, t } from '@lingui/core/macro';
import { ActionIcon, Group, Loader, Text } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import { useNow } from '../data/Time.tsx';
import { Hint } from '../layout/text-blocks.tsx';

/** Data that can be reloaded. */
export interface Refreshable {
  dataUpdatedAt: number;
  error: Error | null;
  /** Only loading the next page failed, so the shown data is not outdated. */
  isFetchNextPageError?: boolean;
  isFetching: boolean;
  refetch: () => Promise<{ isError: boolean }>;
}

/** Whether there is data that could not be reloaded. */
export function isOutdated({
  dataUpdatedAt,
  error,
  isFetchNextPageError,
}: Omit<Refreshable, 'isFetching' | 'refetch'>) {
  return dataUpdatedAt !== 0 && error !== null && isFetchNextPageError !== true;
}

/** Manual reloading: whether it is running, and whether the last one failed; `onFresh` is called after a success. */
export function useRefresh(query: Refreshable, onFresh?: () => void) {
  const [isRefreshing, setRefreshing] = useState(false);
  const [failedOn, setFailedOn] = useState<number | null>(null);

  async function refresh() {
    setRefreshing(true);
    const { isError } = await query.refetch();
    setRefreshing(false);
    setFailedOn(isError ? query.dataUpdatedAt : null);
    if (!isError) onFresh?.();
  }

  return { isRefreshing, refresh, hasFailed: failedOn === query.dataUpdatedAt && isOutdated(query) };
}

const minuteMs = 60_000;

/** The age of data that is older than a minute, and a message if updating it failed: an alert after a manual reload. */
export function Age({
  query,
  isAlert = false,
}: {
  query: Pick<Refreshable, 'dataUpdatedAt' | 'error' | 'isFetchNextPageError'>;
  isAlert?: boolean;
}) {
  const now = useNow(10_000);
  const minutes = query.dataUpdatedAt === 0 ? 0 : Math.floor((now - query.dataUpdatedAt) / minuteMs);
  const isOld = isOutdated(query);
  return (
    <>
      {isAlert && isOld ? (
        <Text role="alert" component="span" c="var(--hw-alarm)" fz="note">
          {t`Could not be updated: ${{ error: query.error?.message ?? '' }}`}
        </Text>
      ) : (
        <Text role="status" component="span" c="var(--hw-alarm)" fz="note">
          {isOld && t`Could not be updated`}
        </Text>
      )}
      {minutes >= 1 && (
        <Hint component="span">{t`Updated ${plural(minutes, { one: '# minute', other: '# minutes' })} ago`}</Hint>
      )}
    </>
  );
}

/** The age of the data and a button to reload it, with a message if that fails. */
export function LastUpdated({ query, onFresh }: { query: Refreshable; onFresh?: () => void }) {
  const { hasFailed, refresh } = useRefresh(query, onFresh);
  return (
    <Group gap="0.4rem 0.75rem" justify="flex-end">
      <Age query={query} isAlert={hasFailed} />
      <ActionIcon
        variant="default"
        size="lg"
        aria-label={t`Refresh`}
        title={t`Refresh`}
        aria-disabled={query.isFetching || undefined}
        onClick={() => {
          if (!query.isFetching) void refresh();
        }}
      >
        {query.isFetching ? <Loader size="xs" aria-hidden="true" /> : <IconRefresh size={18} stroke={1.75} />}
      </ActionIcon>
    </Group>
  );
}
