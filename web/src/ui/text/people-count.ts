import { plural, t } from '@lingui/core/macro';
import { fewestCounted, peopleCountedMost } from '#contract/discovery.ts';
import { formatNumber } from './format.ts';

/** A number from `usePeopleCount` as text that stands alone. */
export function peopleCounted(people: number): string {
  if (people < fewestCounted) return t`Fewer than ${{ count: formatNumber(fewestCounted) }} people`;
  if (people >= peopleCountedMost) return t`${{ count: formatNumber(peopleCountedMost) }}+ people`;
  return t`${plural({ count: people }, { one: '# person', other: '# people' })}`;
}
