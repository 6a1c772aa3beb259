import type { AgeCheck } from '#contract/age-check.ts';
import { formatDate } from '../../../ui/text/format.ts';
import { t } from '../../../ui/text/text.ts';

/** Where a member stands with their age check. */
export function ageStanding({ state, since, isAsked, rule }: AgeCheck): string {
  if (state === 'assured') return t('Confirmed on {date}: you are an adult.', { date: formatDate(since) });
  if (state === 'failed')
    return t(
      "The check didn't confirm that you are an adult. Our team looks at it. If this is a mistake, write to Support.",
    );
  if (isAsked)
    return t(
      'Our team asks you to confirm that you are an adult. Until then, you can answer people, but not write first.',
    );
  if (rule === 'joining') return t('In your country, people confirm that they are adults when they join.');
  if (rule === 'first-message')
    return t('In your country, people confirm that they are adults before they write to someone first.');
  if (state === 'expired') return t("You began a check and didn't finish it. You can begin again.");
  return t('You can confirm that you are an adult. It is not required in your country.');
}
