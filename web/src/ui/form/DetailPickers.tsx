import { interestGroups } from '#contract/profiles/interests.ts';
import { interestsMax, languages, languagesMax } from '#contract/profiles/profile-details.ts';
import { languageName } from '../text/detail-words.ts';
import { locale, t } from '../text/text.ts';
import { listOf } from './BasicPreferenceFields.tsx';
import { type Chip, ChipPicker } from './ChipPicker.tsx';

interface PickerProps<N extends string> {
  fields: {
    values: Record<N, string>;
    bind: (name: N) => { error: string | undefined };
    set: (name: N, value: string) => void;
  };
}

/** The field `interests` of a form: interests from the list, separated by commas. */
export function InterestPicker({ fields: { values, bind, set } }: PickerProps<'interests'>) {
  return (
    <ChipPicker
      name="interests"
      label={t('Interests')}
      searchLabel={t('Search interests')}
      groups={Object.entries(interestGroups).map(([title, words]) => ({
        title: t(title),
        chips: words.map((word): Chip => ({ value: word, label: t(word) })),
      }))}
      chosen={listOf(values.interests)}
      most={interestsMax}
      error={bind('interests').error}
      onChange={(chosen) => set('interests', chosen.join(','))}
    />
  );
}

/** The field `languages` of a form: codes of languages, separated by commas. */
export function LanguagePicker({ fields: { values, bind, set } }: PickerProps<'languages'>) {
  const chips = languages
    .map((code): Chip => ({ value: code, label: languageName(code) }))
    .sort((one, other) => one.label.localeCompare(other.label, locale));
  return (
    <ChipPicker
      name="languages"
      label={t('Languages')}
      searchLabel={t('Search languages')}
      groups={[{ title: null, chips }]}
      chosen={listOf(values.languages)}
      most={languagesMax}
      error={bind('languages').error}
      onChange={(chosen) => set('languages', chosen.join(','))}
    />
  );
}
