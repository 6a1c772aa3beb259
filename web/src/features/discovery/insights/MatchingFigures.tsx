import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Button, Group, Stack, Text } from '@mantine/core';
import {
  IconChartPie,
  IconDownload,
  IconHeartHandshake,
  IconMailOpened,
  IconMessages,
  IconScale,
  IconUserHeart,
} from '@tabler/icons-react';
import { useState } from 'react';
import { getMatchingInsights, type MatchingInsights, type MatchingSegment } from '#contract/discovery.ts';
import { genders } from '#contract/profiles/profile-details.ts';
import { useEndpoint } from '../../../api/endpoint-query.ts';
import { BarChart } from '../../../ui/chart/BarChart.tsx';
import { saveCsv } from '../../../ui/data/csv.ts';
import { brandFile } from '../../../ui/data/save-file.ts';
import { type Figure, StatCards, StatCardsSkeleton } from '../../../ui/data/StatCard.tsx';
import { DataTable } from '../../../ui/data/table/DataTable.tsx';
import type { TableColumn } from '../../../ui/data/table/rows.ts';
import { Time } from '../../../ui/data/Time.tsx';
import { EmptyState, QueryStates, Skeleton } from '../../../ui/feedback/PageStates.tsx';
import { SelectField } from '../../../ui/form/Field.tsx';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { Panel } from '../../../ui/layout/Page.tsx';
import { formatDay, formatNumber } from '../../../ui/text/format.ts';

type Week = MatchingInsights['weeks'][number];
type Measure = 'coverage' | 'newMatched' | 'unread' | 'replied' | 'conversations' | 'gini';

interface ShownMeasure extends Pick<Figure, 'Icon' | 'tone'> {
  id: Measure;
  name: MessageDescriptor;
  note: MessageDescriptor;
}

const measures: readonly [ShownMeasure, ...ShownMeasure[]] = [
  {
    id: 'coverage',
    name: msg`Members with a match`,
    note: msg`Of those who decided on a card`,
    Icon: IconHeartHandshake,
    tone: 'accent',
  },
  {
    id: 'newMatched',
    name: msg`New members matched`,
    note: msg`Within seven days`,
    Icon: IconUserHeart,
    tone: 'moss',
  },
  { id: 'unread', name: msg`Unread likes`, note: msg`Not answered yet`, Icon: IconMailOpened, tone: 'honey' },
  { id: 'replied', name: msg`Replies in 24 hours`, note: msg`To first messages`, Icon: IconMessages, tone: 'dusk' },
  {
    id: 'conversations',
    name: msg`Conversations`,
    note: msg`Matches with six messages, both wrote`,
    Icon: IconChartPie,
    tone: 'moss',
  },
  { id: 'gini', name: msg`Gini of likes`, note: msg`0: everyone gets the same number`, Icon: IconScale, tone: 'honey' },
];

const dayMs = 86_400_000;
const genderNames = { woman: msg`Women`, man: msg`Men`, 'non-binary': msg`Non-binary` } as const;
const none = '–';

const shown = (measure: Measure, value: number | null) =>
  value === null ? none : measure === 'gini' ? value.toFixed(2) : `${formatNumber(value)} %`;

const totalOf = (week: Week, gender: MatchingSegment['gender'] = null) =>
  week.segments.find((segment) => segment.gender === gender && segment.age === null);

const segmentId = ({ gender, age }: MatchingSegment) => `${gender ?? ''} ${age ?? ''}`;

const columns: TableColumn<MatchingSegment>[] = [
  {
    id: 'segment',
    header: () => t`Segment`,
    card: 'head',
    width: '16%',
    cell: ({ gender, age }) => (
      <Text span {...(age === null ? { fw: 600 } : { ps: '0.9rem' })}>
        {gender === null ? t`Everyone` : age === null ? t(genderNames[gender]) : `${t(genderNames[gender])} ${age}`}
      </Text>
    ),
  },
  {
    id: 'members',
    header: () => t`Members`,
    isNumber: true,
    cell: ({ members }) => t`about ${{ count: formatNumber(members) }}`,
  },
  ...measures.map(({ id, name }): TableColumn<MatchingSegment> => {
    return { id, header: () => t(name), isNumber: true, cell: (segment) => shown(id, segment[id]) };
  }),
];

/** Saves all weeks and segments. */
function saveWeeks({ weeks }: MatchingInsights): void {
  const names = [t`Week`, t`Gender`, t`Age`, t`Members`, ...measures.map(({ name }) => t(name))];
  const lines = weeks.flatMap(({ week, segments }) =>
    segments.map((segment) => [
      ...[
        week,
        segment.gender === null ? t`Everyone` : t(genderNames[segment.gender]),
        segment.age ?? '',
        segment.members,
      ],
      ...measures.map(({ id }) => segment[id]),
    ]),
  );
  saveCsv([names, ...lines], brandFile('matching.csv'));
}

/** A chart of one measure by week, for everyone and by gender. */
function WeeksChart({ weeks }: Pick<MatchingInsights, 'weeks'>) {
  const [chosen, setChosen] = useState<Measure>('coverage');
  const { id, name } = measures.find((measure) => measure.id === chosen) ?? measures[0];
  const present = genders.filter((gender) => weeks.some((week) => totalOf(week, gender)?.[id] != null));
  return (
    <Panel
      title={t`Week by week`}
      lead={t`Percentages for each week. The current week is not over yet.`}
      actions={
        <SelectField
          label={t`Figure`}
          value={chosen}
          choices={measures.map((measure) => ({ value: measure.id, label: t(measure.name) }))}
          onChange={({ currentTarget: { value } }) =>
            setChosen(measures.find((measure) => measure.id === value)?.id ?? 'coverage')
          }
        />
      }
    >
      <BarChart
        title={t(name)}
        groupName={t`Week`}
        series={[t`Everyone`, ...present.map((gender) => t(genderNames[gender]))]}
        groups={weeks.toReversed().map((week) => ({
          label: formatDay(week.week).replace(/,? \d{4}$/, ''),
          longLabel: formatDay(week.week),
          values: [null, ...present].map((gender) => totalOf(week, gender)?.[id] ?? null),
        }))}
      />
    </Panel>
  );
}

/** The key figures of one week, and its segments. */
function WeekFigures({ insights }: { insights: MatchingInsights }) {
  const { weeks } = insights;
  const isOver = ({ week }: Week) => Date.parse(week) + 7 * dayMs <= Date.now();
  const [chosen, setChosen] = useState<string | null>(null);
  const week = weeks.find((one) => one.week === chosen) ?? weeks.find(isOver) ?? weeks[0];
  if (week === undefined)
    return (
      <EmptyState
        text={t`Nothing counted yet`}
        hint={t`Figures are calculated every night, once members have decided on cards.`}
        isFramed
      />
    );
  const total = totalOf(week);
  return (
    <>
      <StatCards
        label={t`Key figures`}
        isDense
        figures={measures.map(({ id, name, note, Icon, tone = 'accent' }) => ({
          label: t(name),
          value: shown(id, total?.[id] ?? null),
          note: t(note),
          Icon,
          tone,
        }))}
      />
      <Stack my="1rem">
        <WeeksChart weeks={weeks} />
        <Panel
          title={t`By segment`}
          lead={t`Segments with fewer than ten members are left out. A dash means fewer than ten likes, newcomers, messages or matches.`}
          actions={
            <Group align="end" gap="0.75rem">
              <SelectField
                label={t`Week from`}
                value={week.week}
                choices={weeks.map((one) => ({
                  value: one.week,
                  label: isOver(one) ? formatDay(one.week) : t`${{ day: formatDay(one.week) }} (so far)`,
                }))}
                onChange={({ currentTarget: { value } }) => setChosen(value)}
              />
              <Button
                variant="default"
                leftSection={<IconDownload size={16} aria-hidden="true" />}
                onClick={() => saveWeeks(insights)}
              >
                {t`Download CSV`}
              </Button>
            </Group>
          }
        >
          <DataTable
            label={t`Segments`}
            rows={week.segments}
            rowId={segmentId}
            columns={columns}
            minWidth="62rem"
            isPlain
          />
          {insights.countedAt !== null && (
            <Hint mt="1.25rem">
              {t`Counted`} <Time at={insights.countedAt} />
            </Hint>
          )}
        </Panel>
      </Stack>
    </>
  );
}

/** The figures of matching, week by week and by segment. */
export function MatchingFigures() {
  const query = useEndpoint(getMatchingInsights);
  return (
    <QueryStates
      query={query}
      loadingText={t`Loading figures...`}
      skeleton={
        <>
          <StatCardsSkeleton count={6} isDense />
          <Skeleton height="27rem" count={2} />
        </>
      }
      errorText={(error) => t`Error loading figures: ${error}`}
    >
      {(insights) => <WeekFigures insights={insights} />}
    </QueryStates>
  );
}
