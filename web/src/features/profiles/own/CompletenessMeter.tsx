import { profileCompletionFields } from '#contract/profiles/profiles.ts';
import type { OwnUser } from '#contract/profiles/user.ts';
import { useLocale, useText } from '../../../ui/text/text.ts';
import classes from './CompletenessMeter.module.css';
import { completionWords, missingFields } from './completion.ts';

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
    <div className={classes.meter}>
      <div
        role="meter"
        aria-label={t('How complete your profile is')}
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={done}
        aria-valuetext={t('{done} of {total}', { done, total })}
        className={classes.track}
      >
        {profileCompletionFields.map((field, index) => (
          <span key={field} className={classes.pip} data-done={index < done || undefined} />
        ))}
      </div>
      <p className={classes.text}>{text}</p>
    </div>
  );
}
