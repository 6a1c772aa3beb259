import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/runtime-macro';
import { dictionary } from '@zxcvbn-ts/language-common';
import { maximumAgeYears, minimumAgeYears, productName, staffPasswordMinLength } from '#contract/constants.ts';
import { ageOn, secondsAfter } from '#platform/process/clock.ts';
import { folded } from '#contract/folding.ts';
import { AppError, invalid } from '#platform/http/app-error.ts';
import { presentBrand } from '#platform/service/brand.ts';
import { longDate } from '#platform/texts.ts';

const commonPasswords = new Set<string>(dictionary['passwords-common']);

/**
 * Rejects (422) passwords that are commonly used, or are the name of their owner or of the service. The length is
 * checked elsewhere.
 */
export function checkPassword(
  password: string,
  owner: { email: string; names: (string | null)[]; isStaff: boolean },
): void {
  const refuse = (text: MessageDescriptor): never => {
    throw invalid('password', text, 'PASSWORD_REFUSED');
  };
  if (owner.isStaff && !suitsStaff(password)) {
    refuse(msg`Staff use at least ${{ staffPasswordMinLength }} characters`);
  }
  const lower = password.toLowerCase();
  const bare = lettersOf(lower);
  if (commonPasswords.has(lower)) refuse(msg`This password is among the most used ones. Please choose another`);
  if (isRepeated(bare, [productName, presentBrand().name])) refuse(msg`Please do not use the name of this service`);
  const [mailbox = ''] = owner.email.split('@');
  const own = [owner.email, mailbox, owner.names.filter((name) => name !== null).join(' '), ...owner.names];
  for (const text of own) {
    const word = text?.toLowerCase() ?? '';
    if (word !== '' && (lower === word || (word.length > 2 && bare === lettersOf(word) && bare !== ''))) {
      refuse(msg`Please do not use your own name or address`);
    }
  }
}

/** Whether the letters are one of these names, once or repeated. */
const isRepeated = (bare: string, names: readonly string[]) =>
  names.map(lettersOf).some((name) => bare !== '' && name !== '' && bare.replaceAll(name, '') === '');

// Digits, punctuation and accents of a name do not make it harder to guess.
const lettersOf = (text: string) => folded(text).replaceAll(/[^\p{L}]/gu, '');

/** The account's personal data that `checkPassword` compares the password with. */
export const passwordOwner = (account: {
  email: string;
  first_name: string | null;
  last_name: string | null;
  staff_role: string | null;
}) => ({
  email: account.email,
  names: [account.first_name, account.last_name],
  isStaff: account.staff_role !== null,
});

/** Whether a password is long enough for staff. */
export function suitsStaff(password: string): boolean {
  return [...password].length >= staffPasswordMinLength;
}

/** The day on which someone turns `years` years old, in words: 29 February counts as 1 March in other years. */
function birthdayInWords(birthDate: string, years: number): string {
  const [year = 0, month = 1, day = 1] = birthDate.split('-').map(Number);
  return longDate(new Date(Date.UTC(year + years, month - 1, day)));
}

/** The local time at a longitude: one hour ahead of UTC for every 15 degrees east. */
const clockAt = (longitude: number, now: Date) => secondsAfter(now, Math.round(longitude / 15) * 3600);

/**
 * Rejects birth dates of people who are younger than `minimum` today (422, with the day on which they will be old enough) or impossibly old
 * (400). Today is the later of the UTC day and the day where they live, if that is known.
 */
export function checkAge(
  birthDate: string,
  now: Date,
  { longitude = null, minimum = minimumAgeYears }: { longitude?: number | null; minimum?: number } = {},
): void {
  const age = ageOn(birthDate, longitude === null || longitude < 0 ? now : clockAt(longitude, now));
  if (age < minimum) {
    const day = birthdayInWords(birthDate, minimum);
    const text = msg`You must be at least ${{ minimumAgeYears: minimum }} years old to use {brand}. You can join from ${{ day }} on.`;
    throw new AppError(
      'UNDER_AGE',
      msg`You must be at least ${{ minimumAgeYears: minimum }} years old to use {brand}`,
      {
        errors: [{ field: 'birthDate', msg: text }],
      },
    );
  }
  if (age > maximumAgeYears) throw invalid('birthDate', msg`Please check the year`);
}

/**
 * Throws 403 for members who have not verified their address: a sign-in method they set up would remain when the true
 * owner of the address takes over the account.
 */
export function checkProven(caller: { emailVerifiedAt: Date | null; staffRole: string | null }): void {
  if (caller.emailVerifiedAt === null && caller.staffRole === null)
    throw new AppError('EMAIL_NOT_VERIFIED', msg`Please confirm your email address first`);
}
