import { t } from '@lingui/core/macro';
import type { AgeCheck } from '#contract/age-check.ts';
import { formatDay } from '../../../ui/text/format.ts';

/** The state of a member's age check. */
export function ageStanding({ state, since, isAsked, rule }: AgeCheck): string {
  if (state === 'assured') return t`Confirmed on ${{ date: formatDay(since) }}: you are an adult.`;
  if (state === 'failed')
    return t`The provider said that you are not an adult. So you can answer people, but not write first or begin another check, until a member of our team ends this or asks you for another check. If this is a mistake, write to Support. If we act on your account, you get the reasons and can appeal.`;
  if (isAsked)
    return t`Our team asks you to confirm that you are an adult. Until then, you can answer people, but not write first.`;
  if (rule === 'joining') return t`In your country, people confirm that they are adults when they join.`;
  if (rule === 'first-message')
    return t`In your country, people confirm that they are adults before they write to someone first.`;
  if (state === 'expired') return t`You began a check and didn't finish it. You can begin again.`;
  return t`You can confirm that you are an adult. It is not required in your country.`;
}
