import { interestGroups } from '#contract/profiles/interests.ts';
import { languages } from '#contract/profiles/languages.ts';
import { interestsMax, languagesMax } from '#contract/profiles/profile-details.ts';
import { editProfile } from '#contract/profiles/profiles.ts';
import { ChipPicker, type Chip } from '../../../ui/form/ChipPicker.tsx';
import { useLocale, useText } from '../../../ui/text/text.ts';
import { languageName } from '../../../ui/text/detail-words.ts';
import { type OwnPart, sendPart } from './edit-profile.ts';
import { type PartFormProps, ProfileForm } from './ProfileForm.tsx';

const listOf = (text: string) => (text === '' ? [] : text.split(','));
const firstPart = (field: string) => field.split('.')[0] ?? field;

/** What one likes, from the list. */
export function InterestsForm({ user, onUser, ...rest }: OwnPart & PartFormProps) {
  const t = useText();
  const groups = Object.entries(interestGroups).map(([title, words]) => ({
    title: t(title),
    chips: words.map((word): Chip => ({ value: word, label: t(word) })),
  }));
  return (
    <ProfileForm
      {...rest}
      name="interests"
      saved={{ interests: user.interests.join(',') }}
      schema={editProfile.body}
      toBody={({ interests }) => ({ interests: listOf(interests) })}
      fieldOf={firstPart}
      send={sendPart(onUser)}
    >
      {({ values, set, bind }) => (
        <ChipPicker
          name="interests"
          label={t('Interests')}
          searchLabel={t('Search interests')}
          groups={groups}
          chosen={listOf(values.interests)}
          most={interestsMax}
          error={bind('interests').error}
          onChange={(chosen) => set('interests', chosen.join(','))}
        />
      )}
    </ProfileForm>
  );
}

/** Which languages one speaks. */
export function LanguagesForm({ user, onUser, ...rest }: OwnPart & PartFormProps) {
  const t = useText();
  const locale = useLocale();
  const chips = languages
    .map((code): Chip => ({ value: code, label: languageName(code, locale) }))
    .sort((one, other) => one.label.localeCompare(other.label, locale));
  return (
    <ProfileForm
      {...rest}
      name="languages"
      saved={{ languages: user.languages.join(',') }}
      schema={editProfile.body}
      toBody={({ languages: chosen }) => ({ languages: listOf(chosen) })}
      fieldOf={firstPart}
      send={sendPart(onUser)}
    >
      {({ values, set, bind }) => (
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
      )}
    </ProfileForm>
  );
}
