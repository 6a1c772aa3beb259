import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import {
  IconCheckbox,
  IconFolder,
  IconMessageReport,
  IconPhoto,
  IconScale,
  IconUser,
  IconUsersGroup,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link, useNavigate } from 'react-router';
import { type Start, startCountMost, type StartRow, type StartSection } from '#contract/moderation/start.ts';
import { Time } from '../../../ui/data/Time.tsx';
import { ErrorNotice } from '../../../ui/feedback/Notice.tsx';
import { EmptyState, QueryStates, Skeleton } from '../../../ui/feedback/PageStates.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { Columns, Panel } from '../../../ui/layout/Page.tsx';
import { RowLink } from '../../../ui/layout/Rows.tsx';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { formatTime } from '../../../ui/text/format.ts';
import { t } from '../../../ui/text/text.ts';
import { TimeLeft } from '../cases/CaseMarks.tsx';
import { PriorityTag } from '../reports/ReportMarks.tsx';
import { linkId, useCurrentRow, useRowKeys } from '../reports/use-list-rows.ts';
import { startQuery, useMarkSeen } from './queries.ts';
import { addressOf, countWord, lists, reasonOf, titleOf } from './start-words.ts';

const sections = ['mine', 'due', 'waiting', 'changed'] as const;
type SectionName = (typeof sections)[number];

const words: Record<SectionName, { title: string; empty: string }> = {
  mine: { title: 'Mine', empty: 'No case or report is yours right now.' },
  due: { title: 'Due', empty: 'Nothing is overdue or due within four hours.' },
  waiting: { title: 'Waiting for me', empty: 'Nothing is waiting for you.' },
  changed: { title: 'Since you left', empty: 'Nothing has changed in your matters.' },
};

const icons: Record<StartRow['opens'], typeof IconFolder> = {
  case: IconFolder,
  report: IconMessageReport,
  appeal: IconScale,
  user: IconUser,
  pictures: IconPhoto,
  approvals: IconCheckbox,
  bulkAct: IconUsersGroup,
};

const rowId = (section: SectionName, { key }: StartRow) => `${section} ${key}`;
const isUrgent = ({ priority }: StartRow) => priority === 'critical' || priority === 'high';

/** What a row is about, why it is here, and how much time is left or how long ago it came up. */
function Row({ id, row, onFocus }: { id: string; row: StartRow; onFocus: () => void }) {
  const Icon = icons[row.opens];
  return (
    <li>
      <RowLink id={linkId(id)} to={addressOf(row)} onFocus={onFocus}>
        <Icon style={{ flex: 'none', color: 'var(--hw-accent)' }} size={20} stroke={1.6} aria-hidden="true" />
        <Group component="span" flex={1} miw={0} gap="0.15rem 1rem" justify="space-between">
          <Stack component="span" gap="0.1rem" miw={0} flex="1 1 10rem">
            <Group component="span" gap="0.25rem 0.6rem">
              <Text component="span" fw={600} dir="auto" style={{ overflowWrap: 'anywhere' }}>
                {titleOf(row)}
              </Text>
              {row.priority !== null && isUrgent(row) && <PriorityTag priority={row.priority} />}
            </Group>
            <Hint component="span" dir="auto">
              {reasonOf(row)}
            </Hint>
          </Stack>
          <Hint component="span">{row.due || row.isPaused ? <TimeLeft of={row} /> : <Time at={row.at} />}</Hint>
        </Group>
      </RowLink>
    </li>
  );
}

interface SectionProps {
  name: SectionName;
  section: StartSection;
  lead?: string;
  action?: ReactNode;
  onFocus: (id: string) => void;
}

function Section({ name, section: { rows, count, lists: names }, lead, action, onFocus }: SectionProps) {
  const { title, empty } = words[name];
  const heading = count === 0 ? t(title) : `${t(title)} (${countWord(count, startCountMost)})`;
  return (
    <Panel title={heading} {...(lead !== undefined && { lead })} actions={count > 0 && action}>
      {rows.length === 0 ? (
        <Hint>{t(empty)}</Hint>
      ) : (
        <Stack component="ul" gap={0} mx="-0.75rem" aria-label={t(title)}>
          {rows.map((row) => {
            const id = rowId(name, row);
            return <Row key={id} id={id} row={row} onFocus={() => onFocus(id)} />;
          })}
        </Stack>
      )}
      {names.length > 0 && (
        <Group gap="0.4rem" mt="0.75rem">
          {names.map((list) => (
            <Button key={list} component={Link} to={lists[list][1]} variant="default" size="xs">
              {t(lists[list][0])}
            </Button>
          ))}
        </Group>
      )}
    </Panel>
  );
}

function Board({ start }: { start: Start }) {
  const navigate = useNavigate();
  const seen = useMarkSeen();
  const all = sections.flatMap((name) => start[name].rows.map((row) => ({ id: rowId(name, row), row })));
  const rows = useCurrentRow(
    all.map(({ id }) => id),
    'start',
  );
  useRowKeys(rows, (id) => {
    const chosen = all.find((one) => one.id === id);
    if (chosen) void navigate(addressOf(chosen.row));
  });
  const markSeen = (
    <BusyButton
      variant="default"
      size="xs"
      isBusy={seen.isPending}
      busyText={t('Marking...')}
      onClick={() => seen.mutate(start.asOf)}
    >
      {t('Mark as seen')}
    </BusyButton>
  );
  if (all.length === 0)
    return <EmptyState text={t('Nothing is waiting for you')} hint={t('New work appears here by itself.')} isFramed />;
  return (
    <>
      <ErrorNotice error={seen.error} text="Couldn't mark it as seen: {error}" />
      <Columns isEven isStretched>
        {sections.map((name) => (
          <Section
            key={name}
            name={name}
            section={start[name]}
            onFocus={rows.choose}
            {...(name === 'changed' && {
              lead: t('In your matters since {time}. It stays here until you mark it as seen.', {
                time: formatTime(start.since),
              }),
              action: markSeen,
            })}
          />
        ))}
      </Columns>
    </>
  );
}

/** What a member of staff holds, what is due, what waits for them, and what others changed in their matters. */
export function StartBoard() {
  const query = useQuery(startQuery);
  return (
    <QueryStates
      query={query}
      loadingText={t('Loading your start page...')}
      skeleton={
        <Columns isEven isStretched>
          <Skeleton height="18rem" count={4} />
        </Columns>
      }
      errorText="Error loading your start page: {error}"
    >
      {(start) => <Board start={start} />}
    </QueryStates>
  );
}
