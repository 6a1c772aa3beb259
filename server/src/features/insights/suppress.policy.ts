import { smallestGroup } from '#contract/insights/series.ts';

/**
 * The groups that are not shown, of groups that add up to a total which is shown: those with too few people, and as many
 * of the next smallest as it takes so that the total minus the shown groups says nothing about a few people. Groups
 * without anyone are shown.
 */
export function hiddenGroups(people: ReadonlyMap<string, number>): Set<string> {
  const hidden = new Set<string>();
  let together = 0;
  const bySize = [...people].filter(([, count]) => count > 0).sort(([, a], [, b]) => a - b);
  for (const [group, count] of bySize) {
    if (count >= smallestGroup && (together === 0 || together >= smallestGroup)) break;
    hidden.add(group);
    together += count;
  }
  return hidden;
}

/**
 * The genders of a cohort that are not shown, and those that its total leaves out: hidden ones that are too few even
 * together, because the total minus the shown ones would tell. So the others can still be shown.
 */
export function hiddenInCohort(people: ReadonlyMap<string, number>): { hidden: Set<string>; leftOut: Set<string> } {
  const small = [...people].filter(([, count]) => count > 0 && count < smallestGroup);
  const hidden = new Set(small.map(([group]) => group));
  const together = small.reduce((sum, [, count]) => sum + count, 0);
  return { hidden, leftOut: together < smallestGroup ? hidden : new Set() };
}
