import type { FieldConflict } from '#contract/error-body.ts';
import type { AdminUser } from '#contract/profiles/user.ts';
import { ApiError } from '../../../api/api-error.ts';
import { onlyParts } from '../../../ui/form/form-values.ts';
import type { Edits } from '../../../ui/form/drafts.ts';
import type { UserChange } from './queries.ts';

/** The values of the form; '' means no value. */
export type UserForm = Record<
  'firstName' | 'lastName' | 'gender' | 'birthDate' | 'city' | 'country' | 'bio' | 'staffRole' | 'reason',
  string
>;

/** The name under which the draft of an edit is stored. */
export function userDraft(id: string): string {
  return `user-${id}`;
}

/** The form's initial values for a user. */
export function formOf(user: AdminUser): UserForm {
  return {
    firstName: user.firstName ?? '',
    lastName: user.lastName ?? '',
    gender: user.gender ?? '',
    birthDate: user.birthDate ?? '',
    city: user.location?.city ?? '',
    country: user.location?.country ?? '',
    bio: user.bio ?? '',
    staffRole: user.staffRole ?? '',
    reason: '',
  };
}

const textOrNull = (text: string) => (text.trim() === '' ? null : text.trim());
const sameOrNull = (text: string) => (text === '' ? null : text);

/**
 * The fields that differ from the user: absent fields stay unchanged, null clears a field. Empty if nothing was
 * changed; `reason` is not included.
 */
export function changeOf(user: AdminUser, form: UserForm): Omit<UserChange, 'reason' | 'was'> {
  const before = formOf(user);
  const differs = (name: keyof UserForm) => form[name].trim() !== before[name].trim();
  const change: Record<string, unknown> = {};
  for (const name of ['firstName', 'lastName', 'gender', 'birthDate', 'bio', 'staffRole'] as const) {
    if (differs(name)) change[name] = textOrNull(form[name]);
  }
  if (differs('city') || differs('country')) {
    const [city, country] = [textOrNull(form.city), textOrNull(form.country)];
    change['location'] = city === null && country === null ? null : { city: form.city, country: form.country };
  }
  return change;
}

/**
 * The body of an edit: the changed fields, the values they started from, so that a colleague's change is not
 * overwritten, and the reason.
 */
export function editOf(user: AdminUser, form: UserForm, start: UserForm): UserChange {
  const change = changeOf(user, form);
  const { city, country, reason: _, ...others } = start;
  const seen = {
    ...Object.fromEntries(Object.entries(others).map(([name, text]) => [name, sameOrNull(text)])),
    location: { city: sameOrNull(city), country: sameOrNull(country) },
  };
  const was = onlyParts(seen, Object.keys(change)) as NonNullable<UserChange['was']>;
  return { ...change, was, reason: form.reason };
}

const textOf = (value: FieldConflict['current']) => (typeof value === 'string' ? value : '');

/**
 * The form's fields after a conflict was resolved: they have the value of one side, and start from the value that is
 * stored now.
 */
export function settled({ field, current, given }: FieldConflict, side: 'current' | 'given'): Edits {
  const chosen = side === 'current' ? current : given;
  if (field !== 'location') return { [field]: { value: textOf(chosen), from: textOf(current) } };
  const partOf = (value: FieldConflict['current'], part: 'city' | 'country') =>
    value === null || typeof value === 'string' ? '' : (value[part] ?? '');
  return Object.fromEntries(
    (['city', 'country'] as const).map((part) => [part, { value: partOf(chosen, part), from: partOf(current, part) }]),
  );
}

/**
 * Splits `text` into three parts: the beginning that it shares with `other`, the words that differ, and the end that
 * they share.
 */
export function differenceOf(text: string, other: string): [before: string, different: string, after: string] {
  const [words, others] = [text.split(/(?<=\s)/u), other.split(/(?<=\s)/u)];
  const shorter = Math.min(words.length, others.length);
  let first = 0;
  while (first < shorter && words[first] === others[first]) first += 1;
  let last = 0;
  while (last < shorter - first && words.at(-1 - last) === others.at(-1 - last)) last += 1;
  const end = words.length - last;
  return [words.slice(0, first).join(''), words.slice(first, end).join(''), words.slice(end).join('')];
}

/** The conflicts of a refused edit that have not been resolved: their fields do not start from the stored value yet. */
export function openConflicts(error: Error | null, start: UserForm): FieldConflict[] {
  const all = error instanceof ApiError ? (error.data.conflicts ?? []) : [];
  const seen = new Map(Object.entries(start));
  return all.filter((one) =>
    Object.entries(settled(one, 'current')).some(([name, edit]) => seen.get(name) !== edit?.from),
  );
}
