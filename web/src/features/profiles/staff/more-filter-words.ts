import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { genders } from '#contract/profiles/profile-details.ts';
import { listedSubscriptions, type MoreUserFilter } from '#contract/profiles/user-filters.ts';
import { roleNames } from '#contract/roles.ts';
import { staffRoles } from '#contract/staff-roles.ts';
import { plans } from '#contract/subscriptions/plan.ts';
import { optionsOf } from '../../../ui/data/table/ListFilters.tsx';
import { formatDay } from '../../../ui/text/format.ts';
import { ownZone } from '../../../ui/text/own-zone.ts';
import { genderWords } from '../../../ui/text/person.ts';
import type { UserFilters } from './user-filters.ts';

/** Tags by id, with their names and the ids of the tags that they replaced. */
export type TagChoices = readonly (readonly [id: string, name: string, merged?: readonly string[]])[];

type Choice = readonly [value: string, label: MessageDescriptor];

interface MoreFilterField {
  label: MessageDescriptor;
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
const fieldOf: Record<MoreUserFilter, MoreFilterField> = {
  joinedFrom: { label: msg`Joined from`, kind: 'day' },
  joinedTo: { label: msg`Joined until`, kind: 'day' },
  activeFrom: { label: msg`Last active from`, kind: 'day' },
  activeTo: { label: msg`Last active until`, kind: 'day' },
  minAge: { label: msg`Age from`, kind: 'number' },
  maxAge: { label: msg`Age up to`, kind: 'number' },
  planEndsFrom: { label: msg`Plan ends from`, kind: 'day' },
  planEndsTo: { label: msg`Plan ends until`, kind: 'day' },
  country: { label: msg`Country`, kind: 'country' },
  city: { label: msg`City`, kind: 'city' },
  gender: { label: msg`Gender`, kind: [...optionsOf(genders, genderWords), ['none', msg`Not specified`]] },
  complete: { label: msg`Profile complete`, kind: yesOrNo },
  paused: { label: msg`Profile paused`, kind: yesOrNo },
  leaving: { label: msg`Leaving`, kind: [['true', msg`Only people who are leaving`]] },
  plan: { label: msg`Plan`, kind: optionsOf(plans, planWords) },
  subscription: { label: msg`Subscription`, kind: optionsOf(listedSubscriptions, subscriptionWords) },
  openCase: { label: msg`Open case`, kind: yesOrNo },
  sanctioned: { label: msg`Sanction in force`, kind: yesOrNo },
  tag: { label: msg`Tag`, kind: [] },
  role: { label: msg`Role`, kind: [['any', msg`All staff`], ...optionsOf(staffRoles, roleNames)] },
};
export const moreFilterFields = (Object.keys(fieldOf) as MoreUserFilter[]).map((name) => ({ name, ...fieldOf[name] }));

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

function textOf(
  { name, label, kind }: (typeof moreFilterFields)[number],
  value: string,
  tags: TagChoices,
  zone: string,
) {
  if (name === 'leaving') return t(label);
  if (name === 'tag') return `${t(label)}: ${tagOf(tags, value)?.[1] ?? value}`;
  if (kind === 'day') return `${t(label)} ${dayText(value, zone)}`;
  if (kind === 'number') return `${t(label)} ${value}`;
  return `${t(label)}: ${labelOf(typeof kind === 'string' ? [] : kind, value)}`;
}

/** The texts of the chips for the set filters; `tags` has the names of tags by id. */
export const moreFilterTexts = (filters: Readonly<Partial<Record<string, string>>>, tags: TagChoices) =>
  moreFilterFields.flatMap((field): { name: MoreUserFilter; text: string }[] => {
    const { name } = field;
    const { [name]: value = '', zone = '' } = filters;
    return value === '' ? [] : [{ name, text: textOf(field, value, tags, zone) }];
  });

/** The choices of the specified filters. */
export const statuses: [UserFilters['status'], MessageDescriptor][] = [
  ['all', msg`All Status`],
  ['active', msg`Active`],
  ['inactive', msg`Inactive`],
  ['online', msg`Online`],
  ['verified', msg`Verified`],
];
export const types: [UserFilters['type'], MessageDescriptor][] = [
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
    ...moreFilterTexts(query, tags).map(({ text }) => text),
  ];
  return parts.length === 0 ? t`All users, without filters` : parts.join(' · ');
}
