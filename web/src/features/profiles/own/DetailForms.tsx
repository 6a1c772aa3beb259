import { interestGroups } from '#contract/profiles/interests.ts';
import { languages } from '#contract/profiles/languages.ts';
import {
  childrenAnswers,
  drinkingAnswers,
  exerciseAnswers,
  heightMaxCm,
  heightMinCm,
  interestsMax,
  languagesMax,
  relationshipGoals,
  smokingAnswers,
} from '#contract/profiles/profile-details.ts';
import { editProfile } from '#contract/profiles/profiles.ts';
import type { OwnUser } from '#contract/profiles/user.ts';
import { type Chip, ChipPicker } from '../../../ui/form/ChipPicker.tsx';
import { SelectField } from '../../../ui/form/SelectField.tsx';
import { TextField } from '../../../ui/form/TextField.tsx';
import {
  childrenWords,
  drinkingWords,
  exerciseWords,
  goalWords,
  languageName,
  smokingWords,
} from '../../../ui/text/detail-words.ts';
import { locale, t } from '../../../ui/text/text.ts';
import classes from './profile.module.css';
import { orNull, type OwnPart, type PartFormProps, ProfileForm, sendPart } from './ProfileForm.tsx';

const formOf = ({ goal, children, smoking, drinking, exercise, heightCm }: OwnUser) => ({
  goal: goal ?? '',
  children: children ?? '',
  smoking: smoking ?? '',
  drinking: drinking ?? '',
  exercise: exercise ?? '',
  heightCm: heightCm === null ? '' : String(heightCm),
});

/** What was typed as a number; the contract refuses what is none. */
const numberOf = (text: string) => (text.trim() === '' ? null : Number(text));

/** What the member is looking for, and how they live. */
export function HabitsForm({ user, onUser, ...rest }: OwnPart & PartFormProps) {
  const choicesOf = <K extends string>(keys: readonly K[], words: Record<K, string>) => [
    { value: '', label: t('Prefer not to say') },
    ...keys.map((key) => ({ value: key, label: t(words[key]) })),
  ];

  return (
    <ProfileForm
      {...rest}
      name="habits"
      saved={formOf(user)}
      schema={editProfile.body}
      toBody={({ heightCm, ...answers }) => ({
        ...Object.fromEntries(Object.entries(answers).map(([name, answer]) => [name, orNull(answer)])),
        heightCm: numberOf(heightCm),
      })}
      send={sendPart(onUser)}
    >
      {({ bind }) => (
        <div className={classes.pair}>
          <SelectField {...bind('goal')} label={t('Looking for')} choices={choicesOf(relationshipGoals, goalWords)} />
          <SelectField
            {...bind('children')}
            label={t('Children')}
            choices={choicesOf(childrenAnswers, childrenWords)}
          />
          <SelectField {...bind('smoking')} label={t('Smoking')} choices={choicesOf(smokingAnswers, smokingWords)} />
          <SelectField
            {...bind('drinking')}
            label={t('Drinking')}
            choices={choicesOf(drinkingAnswers, drinkingWords)}
          />
          <SelectField
            {...bind('exercise')}
            label={t('Exercise')}
            choices={choicesOf(exerciseAnswers, exerciseWords)}
          />
          <TextField
            {...bind('heightCm')}
            label={t('Height in centimetres')}
            description={t('From {least} to {most}', { least: heightMinCm, most: heightMaxCm })}
            inputMode="numeric"
            maxLength={4}
          />
        </div>
      )}
    </ProfileForm>
  );
}

/** Only what the member is looking for. */
export function GoalForm({ user, onUser, ...rest }: OwnPart & PartFormProps) {
  return (
    <ProfileForm
      {...rest}
      name="goal"
      saved={{ goal: user.goal ?? '' }}
      schema={editProfile.body}
      toBody={({ goal }) => ({ goal: orNull(goal) })}
      send={sendPart(onUser)}
    >
      {({ bind }) => (
        <SelectField
          {...bind('goal')}
          label={t('Looking for')}
          choices={[
            { value: '', label: t('Prefer not to say') },
            ...relationshipGoals.map((goal) => ({ value: goal, label: t(goalWords[goal]) })),
          ]}
        />
      )}
    </ProfileForm>
  );
}

const listOf = (text: string) => (text === '' ? [] : text.split(','));
const firstPart = (field: string) => field.split('.')[0] ?? field;

/** Interests, from the list. */
export function InterestsForm({ user, onUser, ...rest }: OwnPart & PartFormProps) {
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

/** The languages the member speaks. */
export function LanguagesForm({ user, onUser, ...rest }: OwnPart & PartFormProps) {
  const chips = languages
    .map((code): Chip => ({ value: code, label: languageName(code) }))
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
