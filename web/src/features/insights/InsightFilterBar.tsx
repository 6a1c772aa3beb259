import { msg } from '@lingui/core/macro';
import { ageBuckets } from '#contract/statistics.ts';
import { insightComparisons, insightGenders } from '#contract/insights/series.ts';
import { optionsOf, FilterBar, FilterFields, type ListFilter } from '../../ui/data/table/ListFilters.tsx';
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
  const all = ['', msg`All`] as const;
  const days: ListFilter<InsightFilters>[] = [
    { name: 'from', label: msg`From` },
    { name: 'to', label: msg`To` },
  ];
  const fields: ListFilter<InsightFilters>[] = [
    { name: 'range', label: msg`Range`, choices: optionsOf(ranges, rangeWords) },
    ...(shown.range === 'custom' ? days : []),
    {
      name: 'by',
      label: msg`By`,
      choices: optionsOf(stepsFor(range.days), grainWords),
      usual: shown.by === '' ? range.by : '',
    },
    { name: 'compare', label: msg`Compared with`, choices: optionsOf(insightComparisons, compareWords) },
    { name: 'gender', label: msg`Gender`, choices: [all, ...optionsOf(insightGenders, genderWords)] },
    { name: 'ageBand', label: msg`Age`, choices: [all, ...ageBuckets.map(({ bucket }) => [bucket, bucket] as const)] },
    { name: 'country', label: msg`Country`, choices: [all, ...known.map((country) => [country, country] as const)] },
  ];
  // Choosing one of these clears the others.
  const cleared: Partial<Record<keyof InsightFilters, Partial<InsightFilters>>> = {
    range: { by: '', from: '', to: '' },
    ageBand: { country: '' },
    country: { ageBand: '' },
  };
  function onChoose(changed: Partial<InsightFilters>) {
    const [name] = Object.keys(changed) as (keyof InsightFilters)[];
    const custom = changed.range === 'custom' && { from: range.from, to: range.to };
    choose({ ...(name && cleared[name]), ...custom, ...changed });
  }
  return (
    <FilterBar onSubmit={() => undefined}>
      <FilterFields of={fields} filters={{ ...shown, by: range.by }} onChoose={onChoose} />
    </FilterBar>
  );
}
