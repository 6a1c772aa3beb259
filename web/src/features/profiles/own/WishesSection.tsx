import type { Preferences } from '#contract/discovery/discovery.ts';
import { formatNumber } from '../../../ui/text/format.ts';
import { useLocale, useText } from '../../../ui/text/text.ts';
import { soughtWords } from '../../../ui/form/WishFields.tsx';
import { FactList } from '../view/FactList.tsx';
import { ProfileSection } from './ProfileSection.tsx';
import { WishesForm } from './WishesForm.tsx';

interface WishesSectionProps {
  preferences: Preferences;
  onPreferences: (preferences: Preferences) => void;
}

/** Whom the member wants to see; nobody else reads it. */
export function WishesSection({ preferences, onPreferences }: WishesSectionProps) {
  const t = useText();
  const locale = useLocale();
  const { seeking, age, distance } = preferences;
  const weigh = (words: string, isMust: boolean) =>
    isMust ? t('{words} (a must)', { words }) : t('{words} (nice to have)', { words });
  const number = (value: number) => formatNumber(value, locale);
  const facts = [
    [
      t('I would like to meet'),
      seeking.length === 0
        ? null
        : new Intl.ListFormat(locale, { type: 'unit' }).format(seeking.map((gender) => t(soughtWords[gender]))),
    ],
    [t('Age'), age && weigh(t('{min} to {max}', { min: number(age.min), max: number(age.max) }), age.required)],
    [t('Distance'), distance && weigh(t('Up to {km} km', { km: number(distance.maxKm) }), distance.required)],
  ] as const;
  return (
    <ProfileSection
      name="wishes"
      title={t('Whom I want to see')}
      lead={t('Other members never read this.')}
      isEmpty={facts.every(([, words]) => words === null)}
      summary={<FactList facts={facts} />}
    >
      {(leave) => <WishesForm {...leave} preferences={preferences} onPreferences={onPreferences} />}
    </ProfileSection>
  );
}
