import { bioMaxLength } from '#contract/constants.ts';
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
import { TextArea } from '../../../ui/form/TextArea.tsx';
import { TextField } from '../../../ui/form/TextField.tsx';
import {
  childrenWords,
  drinkingWords,
  exerciseWords,
  goalWords,
  languageName,
  smokingWords,
} from '../../../ui/text/detail-words.ts';
import { formatDay } from '../../../ui/text/format.ts';
import { locale, t } from '../../../ui/text/text.ts';
import { orNull, type OwnPart, type PartFormProps, ProfileForm, sendPart } from './ProfileForm.tsx';
import classes from './profile.module.css';

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

const genderChoices = [
  { value: 'woman', label: 'Woman' },
  { value: 'man', label: 'Man' },
  { value: 'non-binary', label: 'Non-binary' },
] as const;

const aboutFormOf = (user: OwnUser) => ({
  firstName: user.firstName ?? '',
  lastName: user.lastName ?? '',
  birthDate: user.birthDate ?? '',
  gender: user.gender ?? '',
  genderText: user.genderText ?? '',
  bio: user.bio ?? '',
});

/** Once set, the birth date cannot be changed; until then it may be left blank. */
const birthDateOf = (user: OwnUser, birthDate: string) =>
  user.birthDate !== null || birthDate === '' ? {} : { birthDate };

interface AboutFormProps extends OwnPart, PartFormProps {
  /** Only what every profile needs, all of it required. */
  isFirst?: boolean;
}

/** Name, birth date, gender, and a short text. */
export function AboutForm({ user, onUser, isFirst = false, ...rest }: AboutFormProps) {
  const isBirthDateSet = user.birthDate !== null;

  return (
    <ProfileForm
      {...rest}
      name="about"
      saved={aboutFormOf(user)}
      schema={editProfile.body}
      toBody={({ firstName, lastName, birthDate, gender, genderText, bio }) => ({
        firstName,
        lastName,
        gender: orNull(gender),
        genderText,
        bio,
        ...birthDateOf(user, birthDate),
      })}
      check={({ birthDate, gender }) =>
        Object.entries(isFirst ? { birthDate, gender } : {})
          .filter(([, value]) => value === '')
          .map(([field]) => ({ field, msg: 'This is required' }))
      }
      send={sendPart(onUser)}
    >
      {({ bind, values }) => (
        <>
          <div className={classes.pair}>
            <TextField {...bind('firstName')} required label={t('First name')} autoComplete="given-name" dir="auto" />
            {!isFirst && (
              <TextField
                {...bind('lastName')}
                label={t('Last name')}
                description={t('Never shown to other members')}
                autoComplete="family-name"
                dir="auto"
              />
            )}
          </div>
          {isBirthDateSet ? (
            <dl className={classes.fixed}>
              <dt>{t('Birth date')}</dt>
              <dd>{formatDay(user.birthDate)}</dd>
            </dl>
          ) : (
            <TextField
              {...bind('birthDate')}
              type="date"
              required={isFirst}
              label={t('Birth date')}
              description={t("Others only see your age. You can't change it later.")}
              autoComplete="bday"
            />
          )}
          <div className={classes.pair}>
            <SelectField
              {...bind('gender')}
              required={isFirst}
              label={t('Gender')}
              choices={[
                { value: '', label: t('Please choose') },
                ...genderChoices.map(({ value, label }) => ({ value, label: t(label) })),
              ]}
            />
            <TextField
              {...bind('genderText')}
              label={t('In your own words')}
              description={t('Shown instead, if you like')}
              dir="auto"
            />
          </div>
          {!isFirst && (
            <TextArea
              {...bind('bio')}
              label={t('About you')}
              description={t('{left, plural, one {# character} other {# characters}} left.', {
                left: Math.max(0, bioMaxLength - values.bio.trim().length),
              })}
              dir="auto"
            />
          )}
        </>
      )}
    </ProfileForm>
  );
}
