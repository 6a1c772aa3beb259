import { profileCompletionFields } from '#contract/profiles/profiles.ts';
import type { OwnUser } from '#contract/profiles/user.ts';
import { useLocale, useText } from '../../../ui/text/text.ts';
import classes from './profile.module.css';

export type CompletionField = (typeof profileCompletionFields)[number];

/** Each part of a complete profile in words, as it is missed. */
const completionWords: Record<CompletionField, string> = {
  firstName: 'your first name',
  birthDate: 'your birth date',
  gender: 'your gender',
  seeking: 'whom you seek',
  location: 'where you live',
  pictures: 'a picture',
};

/** Whether there is a picture: one that waits counts, a refused one does not. */
export function hasPicture({ pictures }: OwnUser): boolean {
  return pictures.some(({ state }) => state !== 'rejected');
}

/** What a complete profile still lacks, in the order a person fills it in; what the server takes for complete lacks nothing. */
export function missingFields(user: OwnUser): CompletionField[] {
  if (user.profileComplete) return [];
  const isThere: Record<CompletionField, boolean> = {
    firstName: user.firstName !== null,
    birthDate: user.birthDate !== null,
    gender: user.gender !== null,
    seeking: user.seeking.length > 0,
    location: user.location !== null,
    pictures: hasPicture(user),
  };
  return profileCompletionFields.filter((field) => !isThere[field]);
}

/** How much of what others need to see somebody is there, and what is not. */
export function CompletenessMeter({ user }: { user: OwnUser }) {
  const t = useText();
  const locale = useLocale();
  const missing = missingFields(user);
  const total = profileCompletionFields.length;
  const done = total - missing.length;
  const words = new Intl.ListFormat(locale).format(missing.map((field) => t(completionWords[field])));
  const text =
    missing.length === 0
      ? t('Everything that others need to meet you is there.')
      : t('{done} of {total} things that others need to meet you. Missing: {words}.', { done, total, words });
  return (
    <div className={classes.completenessMeter}>
      <div
        role="meter"
        aria-label={t('How complete your profile is')}
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={done}
        aria-valuetext={t('{done} of {total}', { done, total })}
        className={classes.completenessTrack}
      >
        {profileCompletionFields.map((field, index) => (
          <span key={field} className={classes.completenessPip} data-done={index < done || undefined} />
        ))}
      </div>
      <p className={classes.completenessText}>{text}</p>
    </div>
  );
}
