import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { genders } from '#contract/profiles/profile-details.ts';
import { listedSubscriptions, type MoreUserFilter } from '#contract/profiles/user-filters.ts';
import { roleNames } from '#contract/roles.ts';
import { staffRoles } from '#contract/staff-roles.ts';
import { plans } from '#contract/subscriptions/plan.ts';
import { formatDay } from '../../../ui/text/format.ts';
import { fill } from '../../../ui/text/i18n.ts';
import { ownZone } from '../../../ui/text/own-zone.ts';
import { genderWords } from '../../../ui/text/person.ts';
import type { UserStatus, UserType } from './user-filters.ts';

/** Tags by id, with their names and the ids of the tags that they replaced. */
export type TagChoices = readonly (readonly [id: string, name: string, merged?: readonly string[]])[];

type Choice = readonly [value: string, label: MessageDescriptor];

interface MoreFilterField {
  name: MoreUserFilter;
  /** With `{value}` for a chip; `label` alone stands above the field. */
  label: MessageDescriptor;
  chip: MessageDescriptor;
  kind: 'day' | 'number' | 'country' | 'city' | readonly Choice[];
}

const yesOrNo: readonly Choice[] = [
  ['true', msg`Yes`],
  ['false', msg`No`],
];
const subscriptionWords = {
  active: msg`Active`,
  trialing: msg`In free trial`,
  past_due: msg`Payment failed`,
  paused: msg`Paused`,
};
const planWords = { monthly: msg`Monthly`, quarterly: msg`Quarterly`, annual: msg`Annual` };

/** The filters that only the server applies, in the order of their form: ranges first, so that their ends are side by side. */
export const moreFilterFields: readonly MoreFilterField[] = [
  { name: 'joinedFrom', label: msg`Joined from`, chip: msg({ message: 'Joined from {value}' }), kind: 'day' },
  { name: 'joinedTo', label: msg`Joined until`, chip: msg({ message: 'Joined until {value}' }), kind: 'day' },
  { name: 'activeFrom', label: msg`Last active from`, chip: msg({ message: 'Last active from {value}' }), kind: 'day' },
  { name: 'activeTo', label: msg`Last active until`, chip: msg({ message: 'Last active until {value}' }), kind: 'day' },
  { name: 'minAge', label: msg`Age from`, chip: msg({ message: 'Age from {value}' }), kind: 'number' },
  { name: 'maxAge', label: msg`Age up to`, chip: msg({ message: 'Age up to {value}' }), kind: 'number' },
  { name: 'planEndsFrom', label: msg`Plan ends from`, chip: msg({ message: 'Plan ends from {value}' }), kind: 'day' },
  { name: 'planEndsTo', label: msg`Plan ends until`, chip: msg({ message: 'Plan ends until {value}' }), kind: 'day' },
  { name: 'country', label: msg`Country`, chip: msg({ message: 'Country: {value}' }), kind: 'country' },
  { name: 'city', label: msg`City`, chip: msg({ message: 'City: {value}' }), kind: 'city' },
  {
    name: 'gender',
    label: msg`Gender`,
    chip: msg({ message: 'Gender: {value}' }),
    kind: [...genders.map((gender): Choice => [gender, genderWords[gender]]), ['none', msg`Not specified`]],
  },
  {
    name: 'complete',
    label: msg`Profile complete`,
    chip: msg({ message: 'Profile complete: {value}' }),
    kind: yesOrNo,
  },
  { name: 'paused', label: msg`Profile paused`, chip: msg({ message: 'Profile paused: {value}' }), kind: yesOrNo },
  { name: 'leaving', label: msg`Leaving`, chip: msg`Leaving`, kind: [['true', msg`Only people who are leaving`]] },
  {
    name: 'plan',
    label: msg`Plan`,
    chip: msg({ message: 'Plan: {value}' }),
    kind: plans.map((plan) => [plan, planWords[plan]]),
  },
  {
    name: 'subscription',
    label: msg`Subscription`,
    chip: msg({ message: 'Subscription: {value}' }),
    kind: listedSubscriptions.map((state) => [state, subscriptionWords[state]]),
  },
  { name: 'openCase', label: msg`Open case`, chip: msg({ message: 'Open case: {value}' }), kind: yesOrNo },
  {
    name: 'sanctioned',
    label: msg`Sanction in force`,
    chip: msg({ message: 'Sanction in force: {value}' }),
    kind: yesOrNo,
  },
  { name: 'tag', label: msg`Tag`, chip: msg({ message: 'Tag: {value}' }), kind: [] },
  {
    name: 'role',
    label: msg`Role`,
    chip: msg({ message: 'Role: {value}' }),
    kind: [['any', msg`All staff`], ...staffRoles.map((role): Choice => [role, roleNames[role]])],
  },
];

/** The label of a choice; an unknown value as it is. */
function labelOf(choices: readonly Choice[], value: string): string {
  const label = choices.find(([choice]) => choice === value)?.[1];
  return label === undefined ? value : t(label);
}

/** The tag with this id, or the one that replaced it. */
export const tagOf = (tags: TagChoices, id: string) =>
  tags.find(([tagId, , merged = []]) => tagId === id || merged.includes(id));

/** A day, with its time zone if that is another than the reader's. */
const dayText = (day: string, zone: string) =>
  zone === '' || zone === ownZone() ? formatDay(day) : `${formatDay(day)} (${zone})`;

/** What a chip says about a filter that is set; `tags` has the names of tags by id. */
export function filterText(
  { name, chip, kind }: MoreFilterField,
  value: string,
  tags: TagChoices,
  zone: string,
): string {
  if (name === 'tag') return fill(chip, { value: tagOf(tags, value)?.[1] ?? value });
  const choices = typeof kind === 'string' ? [] : kind;
  return fill(chip, { value: kind === 'day' ? dayText(value, zone) : labelOf(choices, value) });
}

/** The choices of the specified filters. */
export const statuses: [UserStatus, MessageDescriptor][] = [
  ['all', msg`All Status`],
  ['active', msg`Active`],
  ['inactive', msg`Inactive`],
  ['online', msg`Online`],
  ['verified', msg`Verified`],
];
export const types: [UserType, MessageDescriptor][] = [
  ['all', msg`All Types`],
  ['vip', msg`VIP`],
  ['free', msg`Free`],
];

/** All filters of a list's query as one line, such as that of an export. */
export function filtersInWords(query: Readonly<Record<string, string | undefined>>, tags: TagChoices): string {
  const { search = '', status = 'all', type = 'all' } = query;
  const parts = [
    ...(search === '' ? [] : [t`Search: ${{ value: search }}`]),
    ...(status === 'all' ? [] : [labelOf(statuses, status)]),
    ...(type === 'all' ? [] : [labelOf(types, type)]),
    ...moreFilterFields.flatMap((field) => {
      const value = query[field.name] ?? '';
      return value === '' ? [] : [filterText(field, value, tags, query.zone ?? '')];
    }),
  ];
  return parts.length === 0 ? t`All users, without filters` : parts.join(' · ');
}
