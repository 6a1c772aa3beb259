import { t } from '@lingui/core/macro';
import { Button, Group, Text, UnstyledButton } from '@mantine/core';
import { IconCalendarHeart } from '@tabler/icons-react';
import { type ReactNode } from 'react';
import { Link } from 'react-router';
import { usePart } from '../../brand.ts';
import { ErrorNotice } from '../../ui/feedback/Notice.tsx';
import { BusyButton } from '../../ui/form/BusyButton.tsx';
import { lazyPart } from '../../ui/loading/LazyBoundary.tsx';
import { saveCalendar, useDate, useDateCommand } from './queries.ts';
import { stateText } from './state-text.ts';
import { whenText } from './when.ts';

const [DateDialog] = lazyPart(async () => (await import('./DateDialog.tsx')).DateDialog);

interface DateStripProps {
  matchId: string;
  userId: string;
  name: string;
  isEnded?: boolean;
  /** Whether the dialog about the date is open. */
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
}

function Strip({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Group
      component="section"
      aria-label={t`Your date with ${name}`}
      gap="0.35rem 0.75rem"
      flex="none"
      py="0.25rem"
      px="clamp(0.75rem, 2vw, 1.5rem)"
      bg="var(--hw-sunken)"
      style={{ borderBottom: '1px solid var(--hw-line)' }}
    >
      {children}
    </Group>
  );
}

/** The button that plans a date, in a conversation in which both have written. */
export function PlanButton({ onPress }: { onPress: () => void }) {
  return (
    <Button
      variant="light"
      size="sm"
      flex="none"
      leftSection={<IconCalendarHeart size={17} stroke={1.75} aria-hidden="true" />}
      onClick={onPress}
    >
      {t`Plan a date`}
    </Button>
  );
}

interface CanceledProps {
  matchId: string;
  name: string;
  date: { _id: string; at: string; zone: string };
}

/** An agreed date that was canceled, which may still be in the reader's calendar. */
function Canceled({ matchId, name, date }: CanceledProps) {
  const calendar = useDateCommand(matchId, () => saveCalendar(date._id));
  const isOffered = usePart('dates');
  return (
    <Strip name={name}>
      <Text flex="1 1 8rem" miw={0} fz="note">
        {t`Date canceled: ${{ when: whenText(date) }}`}
        {!isOffered && (
          <Text component="span" display="block" fz="note" c="dimmed">
            {t`Dates can't be planned here any more.`}
          </Text>
        )}
        <ErrorNotice error={calendar.error} text={(error) => t`Couldn't get the calendar file: ${error}`} />
      </Text>
      <BusyButton
        variant="default"
        size="sm"
        mih={44}
        isBusy={calendar.isPending}
        busyText={t`Preparing...`}
        onClick={() => calendar.mutate()}
      >
        {t`Remove from calendar`}
      </BusyButton>
    </Strip>
  );
}

/** The date planned with a match, pinned above the messages. Pressing it shows everything about the date. */
export function DateStrip({ matchId, userId, name, isEnded = false, isOpen, onOpen }: DateStripProps) {
  const { data } = useDate(matchId, isEnded);
  const date = data?.date ?? null;
  const canPlan = usePart('dates') && !isEnded;
  return (
    <>
      {data?.canceled !== undefined && <Canceled matchId={matchId} name={name} date={data.canceled} />}
      {date !== null && (
        <Strip name={name}>
          <UnstyledButton flex="1 1 8rem" miw={0} mih={44} aria-haspopup="dialog" onClick={() => onOpen(true)}>
            <Group gap="0.6rem" wrap="nowrap">
              <IconCalendarHeart size={22} stroke={1.75} aria-hidden="true" style={{ flex: 'none' }} />
              <span style={{ minWidth: 0 }}>
                <Text component="span" display="block" fw={600} fz="note">
                  {stateText(date, userId, name)}
                </Text>
                <Text component="span" display="block" fz="note" c="dimmed">
                  {whenText(date)}
                </Text>
                <Text component="span" display="block" fz="note" c="dimmed">
                  <bdi>{date.place}</bdi>
                </Text>
              </span>
            </Group>
          </UnstyledButton>
          {date.mayCheckIn && (
            <Button component={Link} to={`/app/check-in/${date._id}`} variant="default" size="sm" mih={44}>
              {t`Check in`}
            </Button>
          )}
        </Strip>
      )}
      {isOpen && (date !== null || canPlan) && (
        <DateDialog
          matchId={matchId}
          userId={userId}
          name={name}
          isEnded={isEnded}
          date={date}
          onClose={() => onOpen(false)}
        />
      )}
    </>
  );
}
