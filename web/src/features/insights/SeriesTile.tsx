import { t } from '@lingui/core/macro';
import { Group } from '@mantine/core';
import type { InsightGrain, InsightPeriod } from '#contract/insights/series.ts';
import { LineChart } from '../../ui/chart/LineChart.tsx';
import { changeText, countText, csvRows, type FileUnit, type SeriesLine } from './series.ts';
import { Headline, Tile } from './Tile.tsx';
import { grainWords, periodWords } from './words.ts';

interface SeriesTileProps {
  id: string;
  title: string;
  definition: string;
  lines: readonly SeriesLine[];
  periods: readonly InsightPeriod[];
  by: InsightGrain;
  format?: (value: number) => string;
  unit?: FileUnit;
}

const unknown = '–';

/** Figures over time: the headline of each line with its change, and a chart of them. */
export function SeriesTile(props: SeriesTileProps) {
  const { id, title, definition, lines, periods, by, format = countText, unit } = props;
  const drawn = lines.filter(({ apart }) => apart === undefined);
  const hasBefore = (line: SeriesLine) => drawn.length === 1 && line.before !== null;
  return (
    <Tile id={id} title={title} definition={definition} rows={csvRows(lines, periods, unit)}>
      <Group component="dl" gap="0.5rem 2rem" mb="0.9rem" align="flex-start">
        {lines.map(({ name, headline, apart = format }) => (
          <Headline
            key={name}
            name={name}
            value={headline.now === null ? unknown : apart(headline.now)}
            change={changeText(headline.now, headline.before, apart)}
          />
        ))}
      </Group>
      <LineChart
        title={title}
        groupName={t(grainWords[by])}
        points={periods.map((period) => periodWords(period, by))}
        lines={drawn.flatMap((line) => [
          { name: line.name, values: line.values },
          ...(hasBefore(line) ? [{ name: t`Before`, values: line.before ?? [], isComparison: true }] : []),
        ])}
        format={format}
      />
    </Tile>
  );
}
