import { Button } from '@mantine/core';
import { errorMessage } from '../../../api/api-error.ts';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { formatDate } from '../../../ui/text/format.ts';
import { t } from '../../../ui/text/text.ts';
import { useSnooze } from './SnoozeDialog.tsx';

/** Above a snoozed conversation: until when, and a button to end it. */
export function SnoozedNotice({ matchId, until }: { matchId: string; until: string }) {
  const { error, isPending, mutate } = useSnooze(matchId);
  return (
    <Notice
      kind="info"
      isNews={false}
      action={
        <Button size="xs" variant="default" aria-disabled={isPending || undefined} onClick={() => mutate({ days: 0 })}>
          {t('End snooze')}
        </Button>
      }
    >
      {error === null
        ? t('Snoozed until {date}. Writing ends it.', { date: formatDate(until) })
        : t("Couldn't end the snooze: {error}", { error: t(errorMessage(error)) })}
    </Notice>
  );
}
