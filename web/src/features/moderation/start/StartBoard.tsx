import { plural, t } from '@lingui/core/macro';
import { Button, Group, Stack, Text } from '@mantine/core';
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
import {
  type Start,
  startFirstDays,
  type StartRow,
  type StartSection,
  markStartSeen,
  getStart,
} from '#contract/moderation/start.ts';
import { may } from '#contract/roles.ts';
import { useQuery } from '@tanstack/react-query';
import { live } from '../../../api/query-client.ts';
import { useCommand, endpointQuery } from '../../../api/endpoint-query.ts';
import { useOwnRole } from '../../../api/session/permission.ts';
import { useNow } from '../../../ui/data/Time.tsx';
import { ErrorNotice, Notice } from '../../../ui/feedback/Notice.tsx';
import { EmptyState, QueryStates } from '../../../ui/feedback/PageStates.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { Columns, Panel } from '../../../ui/layout/Page.tsx';
import { RowLink } from '../../../ui/layout/Rows.tsx';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { formatExactTime, formatTime } from '../../../ui/text/format.ts';
import { countText, TimeLeft } from '../cases/CaseMarks.tsx';
import { durationText } from '../reports/report-words.ts';
import { PriorityTag } from '../reports/ReportMarks.tsx';
import { linkId, useCurrentRow, useRowKeys } from '../../../ui/data/table/use-row-keys.ts';
import {
  addressOf,
  columns,
  emptyText,
  isShown,
  moreText,
  reasonOf,
  type SectionName,
  sectionWords,
  titleOf,
} from './start-words.ts';

const icons: Record<StartRow['opens'], typeof IconFolder> = {
  case: IconFolder,
  report: IconMessageReport,
  appeal: IconScale,
  user: IconUser,
  pictures: IconPhoto,
  approvals: IconCheckbox,
  bulkAct: IconUsersGroup,
};

/** A row of one section, by which the keyboard finds it. */
interface Placed {
  id: string;
  section: SectionName;
  row: StartRow;
}

const ageEveryMs = 30_000;
const everyMs = 60_000;

/** The subject of a row, why it is listed, and how much time is left or how old it is. */
export const startQuery = endpointQuery(getStart, {}, { ...live, refetchInterval: everyMs });

function Age({ at }: { at: string }) {
  const now = useNow(ageEveryMs);
  return (
    <time dateTime={at} title={formatExactTime(at)}>
      {t`${{ time: durationText(Math.max(0, now - Date.parse(at))) }} ago`}
    </time>
  );
}

/** A line below the title, and a button next to it. */
function Row({ placed: { id, section, row }, onFocus }: { placed: Placed; onFocus: (id: string) => void }) {
  const Icon = icons[row.opens];
  const isUrgent = row.priority === 'critical' || row.priority === 'high';
  return (
    <li>
      <RowLink id={linkId(id)} to={addressOf(row)} onFocus={() => onFocus(id)}>
        <Icon style={{ flex: 'none', color: 'var(--hw-accent)' }} size={20} stroke={1.6} aria-hidden="true" />
        <Group component="span" flex={1} miw={0} gap="0.15rem 1rem" justify="space-between">
          <Stack component="span" gap="0.1rem" miw={0} flex="1 1 14rem">
            <Group component="span" gap="0.25rem 0.6rem">
              <Text component="span" fw={600} dir="auto" style={{ overflowWrap: 'anywhere' }}>
                {titleOf(row)}
              </Text>
              {isUrgent && row.priority && <PriorityTag priority={row.priority} />}
            </Group>
            <Hint component="span">{reasonOf(row, section)}</Hint>
          </Stack>
          <Hint component="span">{row.due || row.isPaused ? <TimeLeft of={row} /> : <Age at={row.at} />}</Hint>
        </Group>
      </RowLink>
    </li>
  );
}

interface SectionProps {
  name: SectionName;
  section: StartSection;
  /** A line under the title, and a button beside it. */
  lead?: string;
  actions?: ReactNode;
  children: ReactNode;
}

function Section({ name, section, children, ...panel }: SectionProps) {
  const role = useOwnRole();
  const { title, lists } = sectionWords[name];
  const shown = lists.filter(([, , needs]) => may(role, needs));
  const more = moreText(section);
  if (section.count === 0)
    return (
      <Panel title={t(title)}>
        <Hint>{emptyText(role, name)}</Hint>
      </Panel>
    );
  return (
    <Panel title={`${t(title)} (${countText(section.count)})`} {...panel}>
      <Stack component="ul" gap={0} mx="-0.75rem" aria-label={t(title)}>
        {children}
      </Stack>
      <Group gap="0.4rem" mt={shown.length > 0 || more ? '0.75rem' : 0}>
        {more && <Hint me="0.4rem">{more}</Hint>}
        {shown.map(([text, to]) => (
          <Button key={to} component={Link} to={to} variant="default" size="xs">
            {t(text)}
          </Button>
        ))}
      </Group>
    </Panel>
  );
}

function Board({ start }: { start: Start }) {
  const role = useOwnRole();
  const navigate = useNavigate();
  const seen = useCommand(markStartSeen, (until: string) => ({ body: { until } }), { waits: true });
  const all = columns.flat().flatMap((section) =>
    start[section].rows.map((row): Placed => {
      const id = [section, row.opens, row._id, row.what, row.at].join('-');
      return { id, section, row };
    }),
  );
  const rows = useCurrentRow(all, 'start');
  useRowKeys(rows, (id) => {
    const chosen = all.find((one) => one.id === id);
    if (chosen) void navigate(addressOf(chosen.row));
  });
  if (!may(role, 'reports.handle') && all.length === 0)
    return (
      <EmptyState
        text={t`Your role has no queue of work`}
        hint={t`You find the figures on the dashboard.`}
        action={
          <Button component={Link} to="/dashboard" variant="light">
            {t`Dashboard`}
          </Button>
        }
        isFramed
      />
    );
  if (all.length === 0)
    return <EmptyState text={t`Nothing is waiting for you`} hint={t`New work appears here by itself.`} isFramed />;
  const changed = {
    lead: start.isFirstVisit
      ? t`First visit: the last ${{ days: startFirstDays }} days`
      : t`What others changed in your work since ${{ time: formatTime(start.since) }}.`,
    actions: (
      <BusyButton
        variant="default"
        size="xs"
        isBusy={seen.isPending}
        busyText={t`Marking...`}
        onClick={() => seen.mutate(start.asOf)}
      >
        {t`Mark as seen`}
      </BusyButton>
    ),
  };
  return (
    <>
      <ErrorNotice error={seen.error} text={(error) => t`Couldn't mark it as seen: ${error}`} />
      <Columns isEven>
        {columns.map((names) => (
          <Stack key={names[0]} gap="1.25rem">
            {names
              .filter((name) => isShown(role, name, start[name]))
              .map((name) => (
                <Section key={name} name={name} section={start[name]} {...(name === 'changed' && changed)}>
                  {all
                    .filter(({ section }) => section === name)
                    .map((placed) => (
                      <Row key={placed.id} placed={placed} onFocus={rows.choose} />
                    ))}
                </Section>
              ))}
          </Stack>
        ))}
      </Columns>
    </>
  );
}

/** Shows staff who can switch rules on that they only watch. */
function WatchingRules({ watching: { rules, people } }: Pick<Start, 'watching'>) {
  if (rules === 0) return null;
  return (
    <Notice
      kind="info"
      isNews={false}
      mb="1.25rem"
      action={
        <Button component={Link} to="/rules/automatic" variant="default" size="xs">
          {t`Automatic rules`}
        </Button>
      }
    >
      {t`${plural(
        { rules },
        {
          one: 'One automatic rule only watches: it notes who it would hit, and does nothing.',
          other: '# automatic rules only watch: they note who they would hit, and do nothing.',
        },
      )}`}{' '}
      {people > 0 &&
        t`${plural({ people }, { one: 'So far it would be one person.', other: 'So far it would be # people.' })}`}
    </Notice>
  );
}

/** The items that a member of staff handles, that are due or wait for them, and others' changes to their cases. */
export function StartBoard() {
  const query = useQuery(startQuery);
  return (
    <QueryStates
      query={query}
      loadingText={t`Loading your start page...`}
      skeleton="36rem"
      errorText={(error) => t`Error loading your start page: ${error}`}
    >
      {(start) => (
        <>
          <WatchingRules watching={start.watching} />
          <Board start={start} />
        </>
      )}
    </QueryStates>
  );
}
