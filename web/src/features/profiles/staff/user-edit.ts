import type { AdminUser } from '#contract/profiles/user.ts';
import type { UserChange } from './queries.ts';

/** What the form holds; '' is nothing. */
export type UserForm = Record<
  'firstName' | 'lastName' | 'gender' | 'birthDate' | 'city' | 'country' | 'bio' | 'staffRole' | 'reason',
  string
>;

/** Under which name what is typed about a user is kept. */
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

/** The fields that differ from the user: absent keeps, null clears. Empty when nothing changed; `reason` is not included. */
export function changeOf(user: AdminUser, form: UserForm): Omit<UserChange, 'reason'> {
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
