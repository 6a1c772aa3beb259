import { genders } from '#contract/profiles/profile-details.ts';
import { listedSubscriptions, type MoreUserFilter } from '#contract/profiles/user-filters.ts';
import { roleNames, staffRoles } from '#contract/roles.ts';
import { plans } from '#contract/subscriptions/plan.ts';
import { formatDay } from '../../../ui/text/format.ts';
import { genderWord } from '../../../ui/text/person.ts';
import { t } from '../../../ui/text/text.ts';
import type { UserStatus, UserType } from './user-filters.ts';

type Choice = readonly [value: string, label: string];

interface MoreFilterField {
  name: MoreUserFilter;
  /** Untranslated, with `{value}` for a chip; `label` alone stands above the field. */
  label: string;
  chip: string;
  kind: 'day' | 'number' | 'country' | 'city' | readonly Choice[];
}

const yesOrNo: readonly Choice[] = [
  ['true', 'Yes'],
  ['false', 'No'],
];
const subscriptionWords = {
  active: 'Active',
  trialing: 'In free trial',
  past_due: 'Payment failed',
  paused: 'Paused',
};
const planWords = { monthly: 'Monthly', quarterly: 'Quarterly', annual: 'Annual' };

/** The filters that only the server applies, in the order of their form: ranges first, so that their ends are side by side. */
export const moreFilterFields: readonly MoreFilterField[] = [
  { name: 'joinedFrom', label: 'Joined from', chip: 'Joined from {value}', kind: 'day' },
  { name: 'joinedTo', label: 'Joined until', chip: 'Joined until {value}', kind: 'day' },
  { name: 'activeFrom', label: 'Last active from', chip: 'Last active from {value}', kind: 'day' },
  { name: 'activeTo', label: 'Last active until', chip: 'Last active until {value}', kind: 'day' },
  { name: 'minAge', label: 'Age from', chip: 'Age from {value}', kind: 'number' },
  { name: 'maxAge', label: 'Age up to', chip: 'Age up to {value}', kind: 'number' },
  { name: 'planEndsFrom', label: 'Plan ends from', chip: 'Plan ends from {value}', kind: 'day' },
  { name: 'planEndsTo', label: 'Plan ends until', chip: 'Plan ends until {value}', kind: 'day' },
  { name: 'country', label: 'Country', chip: 'Country: {value}', kind: 'country' },
  { name: 'city', label: 'City', chip: 'City: {value}', kind: 'city' },
  {
    name: 'gender',
    label: 'Gender',
    chip: 'Gender: {value}',
    kind: [
      ...genders.map((gender): Choice => [gender, genderWord({ gender, genderText: null }) ?? gender]),
      ['none', 'Not specified'],
    ],
  },
  { name: 'complete', label: 'Profile complete', chip: 'Profile complete: {value}', kind: yesOrNo },
  { name: 'paused', label: 'Profile paused', chip: 'Profile paused: {value}', kind: yesOrNo },
  { name: 'leaving', label: 'Leaving', chip: 'Leaving', kind: [['true', 'Only people who are leaving']] },
  { name: 'plan', label: 'Plan', chip: 'Plan: {value}', kind: plans.map((plan) => [plan, planWords[plan]]) },
  {
    name: 'subscription',
    label: 'Subscription',
    chip: 'Subscription: {value}',
    kind: listedSubscriptions.map((state) => [state, subscriptionWords[state]]),
  },
  { name: 'openCase', label: 'Open case', chip: 'Open case: {value}', kind: yesOrNo },
  { name: 'sanctioned', label: 'Sanction in force', chip: 'Sanction in force: {value}', kind: yesOrNo },
  { name: 'tag', label: 'Tag', chip: 'Tag: {value}', kind: [] },
  {
    name: 'role',
    label: 'Role',
    chip: 'Role: {value}',
    kind: [['any', 'All staff'], ...staffRoles.map((role): Choice => [role, roleNames[role]])],
  },
];

/** What a chip says about a filter that is set; `tags` has the names of tags by id. */
export function filterText({ name, chip, kind }: MoreFilterField, value: string, tags: readonly Choice[]): string {
  const choices = name === 'tag' ? tags : typeof kind === 'string' ? [] : kind;
  const label = choices.find(([choice]) => choice === value)?.[1];
  const shown = label === undefined ? (kind === 'day' ? formatDay(value) : value) : name === 'tag' ? label : t(label);
  return t(chip, { value: shown });
}

/** The choices of the specified filters. */
export const statuses: [UserStatus, string][] = [
  ['all', 'All Status'],
  ['active', 'Active'],
  ['inactive', 'Inactive'],
  ['online', 'Online'],
  ['verified', 'Verified'],
];
export const types: [UserType, string][] = [
  ['all', 'All Types'],
  ['vip', 'VIP'],
  ['free', 'Free'],
];

/** All filters of a list's query as one line, such as that of an export. */
export function filtersInWords(query: Readonly<Record<string, string | undefined>>, tags: readonly Choice[]): string {
  const labelOf = (choices: readonly (readonly [string, string])[], value: string) =>
    t(choices.find(([choice]) => choice === value)?.[1] ?? value);
  const { search = '', status = 'all', type = 'all' } = query;
  const parts = [
    ...(search === '' ? [] : [t('Search: {value}', { value: search })]),
    ...(status === 'all' ? [] : [labelOf(statuses, status)]),
    ...(type === 'all' ? [] : [labelOf(types, type)]),
    ...moreFilterFields.flatMap((field) => {
      const value = query[field.name] ?? '';
      return value === '' ? [] : [filterText(field, value, tags)];
    }),
  ];
  return parts.length === 0 ? t('All users, without filters') : parts.join(' · ');
}
