import { msg, t } from '@lingui/core/macro';
import { Button, Text } from '@mantine/core';
import { IconMail, IconMailOff } from '@tabler/icons-react';
import { Fragment } from 'react';
import { getGrowth, type InsightsCounted } from '#contract/insights/series.ts';
import { putWeeklyMail, getWeeklyMail } from '#contract/insights/weekly-mail.ts';
import { queryClient } from '../../api/query-client.ts';
import { endpointQuery, useCommand, useEndpoint } from '../../api/endpoint-query.ts';
import { Time } from '../../ui/data/Time.tsx';
import { ErrorNotice, Notice } from '../../ui/feedback/Notice.tsx';
import { BusyButton } from '../../ui/form/BusyButton.tsx';
import { fill } from '../../ui/text/i18n.ts';
import { calm } from './filters.ts';
import { newestOf } from './series.ts';

/** The current day so far, and when it was counted; until that is known, an equally large gap. */
export function TodaySoFar() {
  const today = new Date().toISOString().slice(0, 10);
  const { data } = useEndpoint(getGrowth, { query: { from: today, to: today, by: 'day', compare: 'none' } }, calm);
  if (data?.countedAt === null) return null;
  const values = data?.values;
  const figures = [
    [msg({ message: '{count, plural, one {# sign-up} other {# sign-ups}}' }), values?.signUps],
    [msg({ message: '{count, plural, one {# active member} other {# active members}}' }), values?.dailyActive],
    [msg({ message: '{count, plural, one {# match} other {# matches}}' }), values?.matches],
  ] as const;
  return (
    <Text c="dimmed" fz="note" mb="0.9rem" style={{ visibility: data === undefined ? 'hidden' : 'visible' }}>
      {t`Today so far (UTC):`}{' '}
      {figures.map(([text, values]) => (
        <Fragment key={text.id}>{fill(text, { count: Math.round(newestOf(values ?? []) ?? 0) })} · </Fragment>
      ))}
      {t`counted`} <Time at={data?.countedAt ?? today} />
    </Text>
  );
}

/** Shows that earlier days are still being counted. */
export function CountingNotice({ progress, countedAt }: Pick<InsightsCounted, 'progress' | 'countedAt'>) {
  if (countedAt !== null) return null;
  return (
    <Notice kind="info" mb="1rem">
      {progress === null
        ? t`Nothing is counted yet. Figures appear within an hour.`
        : t`Counting earlier days: ${{ done: progress.done }} of ${{ total: progress.total }}. Figures appear when this is done.`}
    </Notice>
  );
}

/** Subscribes to the Monday email about last week, or unsubscribes. */
export function WeeklyMailButton() {
  const { data } = useEndpoint(getWeeklyMail);
  const command = useCommand(putWeeklyMail, (isWanted: boolean) => ({ body: { isWanted } }), {
    onSuccess: (answer) => queryClient.setQueryData(endpointQuery(getWeeklyMail).queryKey, answer),
  });
  if (data === undefined)
    return (
      <Button variant="default" disabled>
        {t`Monday email`}
      </Button>
    );
  const { isWanted } = data;
  const Icon = isWanted ? IconMailOff : IconMail;
  return (
    <>
      <ErrorNotice error={command.error} />
      <BusyButton
        variant="default"
        isBusy={command.isPending}
        busyText={t`Saving...`}
        leftSection={<Icon size={17} stroke={1.75} aria-hidden="true" />}
        onClick={() => command.mutate(!isWanted)}
      >
        {isWanted ? t`Stop the Monday email` : t`Email me each Monday`}
      </BusyButton>
    </>
  );
}
