import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { ErrorNotice, Notice } from '../../../ui/feedback/Notice.tsx';
import { formatDate } from '../../../ui/text/format.ts';
import { useSnooze } from './SnoozeDialog.tsx';

/** Above a snoozed conversation: until when, and a button to end it. */
export function SnoozedNotice({ matchId, until }: { matchId: string; until: string }) {
  const { error, isPending, mutate } = useSnooze(matchId);
  return (
    <>
      <Notice
        kind="info"
        isNews={false}
        action={
          <Button
            size="xs"
            variant="default"
            aria-disabled={isPending || undefined}
            onClick={() => !isPending && mutate({ days: 0 })}
          >
            {t`End snooze`}
          </Button>
        }
      >
        {t`Snoozed until ${{ date: formatDate(until) }}. Writing ends it.`}
      </Notice>
      <ErrorNotice error={error} text={(error) => t`Couldn't end the snooze: ${error}`} />
    </>
  );
}
