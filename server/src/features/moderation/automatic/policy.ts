import { type DryRunGroup, unevenGroup } from '#contract/moderation/automatic-rules.ts';
import type { RuleCondition, RuleFactValues } from '#contract/moderation/rule-words.ts';
import type { GroupCount } from '#platform/db/json.ts';

/** Whether all conditions hold for these facts. */
export function matches(conditions: readonly RuleCondition[], facts: RuleFactValues): boolean {
  return conditions.every(({ fact, value }) =>
    fact === 'accountAgeHours' ? facts[fact] < value : facts[fact] >= value,
  );
}

/**
 * Compares how often each group is hit with everyone else. Only large groups with several hits are judged, because
 * differences between small ones are chance.
 */
export function judgeGroups(groups: readonly GroupCount[], all: { people: number; hits: number }): DryRunGroup[] {
  return groups.map((group) => {
    const rest = { people: all.people - group.people, hits: all.hits - group.hits };
    const isLarge = group.people >= unevenGroup.people && group.hits >= unevenGroup.hits;
    const isOften = group.hits * rest.people > unevenGroup.times * rest.hits * group.people;
    return { ...group, isUneven: isLarge && rest.people > 0 && isOften };
  });
}
