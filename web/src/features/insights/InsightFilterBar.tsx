import { msg, t } from '@lingui/core/macro';
import { ageBuckets } from '#contract/statistics.ts';
import { insightComparisons, insightGenders } from '#contract/insights/series.ts';
import { FilterBar, FilterDay, FilterSelect } from '../../ui/data/table/ListParts.tsx';
import { type InsightFilters, rangeOf, ranges, stepsFor } from './filters.ts';
import { compareWords, genderWords, grainWords, rangeWords } from './words.ts';

interface InsightFilterBarProps {
  shown: InsightFilters;
  choose: (changed: Partial<InsightFilters>) => void;
  countries: readonly string[];
}

/** The range, what it is compared with, the step, and the group of members. Ages and countries are not combined, so one replaces the other. */
export function InsightFilterBar({ shown, choose, countries }: InsightFilterBarProps) {
  const range = rangeOf(shown, Date.now());
  const known = shown.country === '' || countries.includes(shown.country) ? countries : [shown.country, ...countries];
  return (
    <FilterBar onSubmit={() => undefined}>
      <FilterSelect
        label={t`Range`}
        value={shown.range}
        choices={ranges.map((each) => [each, rangeWords[each]])}
        onChoose={(chosen) =>
          choose({
            range: chosen,
            by: '',
            ...(chosen === 'custom' ? { from: range.from, to: range.to } : { from: '', to: '' }),
          })
        }
      />
      {shown.range === 'custom' && (
        <>
          <FilterDay label={t`From`} value={shown.from} onChoose={(from = '') => choose({ from })} />
          <FilterDay label={t`To`} value={shown.to} onChoose={(to = '') => choose({ to })} />
        </>
      )}
      <FilterSelect
        label={t`By`}
        value={range.by}
        choices={stepsFor(range.days).map((by) => [by, grainWords[by]])}
        onChoose={(by) => choose({ by })}
      />
      <FilterSelect
        label={t`Compared with`}
        value={shown.compare}
        choices={insightComparisons.map((each) => [each, compareWords[each]])}
        onChoose={(compare) => choose({ compare })}
      />
      <FilterSelect
        label={t`Gender`}
        value={shown.gender}
        choices={[['', msg`All`], ...insightGenders.map((each) => [each, genderWords[each]] as const)]}
        onChoose={(gender) => choose({ gender })}
      />
      <FilterSelect
        label={t`Age`}
        value={shown.ageBand}
        choices={[['', msg`All`], ...ageBuckets.map(({ bucket }) => [bucket, bucket] as const)]}
        onChoose={(ageBand) => choose({ ageBand, country: '' })}
      />
      <FilterSelect
        label={t`Country`}
        value={shown.country}
        choices={[['', msg`All`], ...known.map((country) => [country, country] as const)]}
        onChoose={(country) => choose({ country, ageBand: '' })}
      />
    </FilterBar>
  );
}
