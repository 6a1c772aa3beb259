import type { MessageDescriptor } from '@lingui/core';
import { plural, t } from '@lingui/core/macro';
import { Text } from '@mantine/core';
import { bioMaxLength } from '#contract/constants.ts';
import { heightMaxCm, heightMinCm } from '#contract/profiles/profile-details.ts';
import type { OwnUser } from '#contract/profiles/user.ts';
import { listOf } from '../../../ui/form/BasicPreferenceFields.tsx';
import { InterestPicker, LanguagePicker } from '../../../ui/form/ChipPicker.tsx';
import { FieldRow } from '../../../ui/form/Form.tsx';
import { numberFrom } from '../../../ui/form/form-values.ts';
import { SelectField, TextArea, TextField } from '../../../ui/form/Field.tsx';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { goalWords, habits } from '../../../ui/text/detail-words.ts';
import { formatDay } from '../../../ui/text/format.ts';
import { lengthOf, unitsFor } from '../../../ui/text/text.ts';
import { genderChoices } from './gender-choices.ts';
import { orNull, UserPartForm, type UserPartProps } from './ProfileForm.tsx';

const choicesOf = (words: Record<string, MessageDescriptor>) => [
  { value: '', label: t`Prefer not to say` },
  ...Object.entries(words).map(([value, label]) => ({ value, label: t(label) })),
];

/** The typed text as a number; the contract rejects NaN. */
const numberOf = (text: string) => (text.trim() === '' ? null : numberFrom(text));

/** The form for what the member is looking for and how they live. */
export function HabitsForm(props: UserPartProps) {
  const { goal, children, smoking, drinking, exercise, heightCm } = props.user;
  const answers = { goal, children, smoking, drinking, exercise };
  const saved = Object.fromEntries(Object.entries(answers).map(([name, answer]) => [name, answer ?? '']));
  return (
    <UserPartForm
      {...props}
      name="habits"
      saved={{ ...(saved as Record<keyof typeof answers, string>), heightCm: String(heightCm ?? '') }}
      toBody={({ heightCm, ...typed }) => ({
        ...Object.fromEntries(Object.entries(typed).map(([name, answer]) => [name, orNull(answer)])),
        heightCm: numberOf(heightCm),
      })}
    >
      {({ bind }) => (
        <FieldRow>
          <SelectField {...bind('goal')} label={t`Looking for`} choices={choicesOf(goalWords)} />
          {habits.map(({ name, title, words }) => (
            <SelectField key={name} {...bind(name)} label={t(title)} choices={choicesOf(words)} />
          ))}
          <TextField
            {...bind('heightCm')}
            label={t`Height in centimeters`}
            description={t`From ${{ least: heightMinCm }} to ${{ most: heightMaxCm }}`}
            inputMode="numeric"
            maxLength={unitsFor(4)}
          />
        </FieldRow>
      )}
    </UserPartForm>
  );
}

/** The form for interests, which are chosen from the list. */
export function InterestsForm(props: UserPartProps) {
  return (
    <UserPartForm
      {...props}
      name="interests"
      saved={{ interests: props.user.interests.join(',') }}
      toBody={({ interests }) => ({ interests: listOf(interests) })}
    >
      {(fields) => <InterestPicker fields={fields} />}
    </UserPartForm>
  );
}

/** The form for the languages that the member speaks. */
export function LanguagesForm(props: UserPartProps) {
  return (
    <UserPartForm
      {...props}
      name="languages"
      saved={{ languages: props.user.languages.join(',') }}
      toBody={({ languages }) => ({ languages: listOf(languages) })}
    >
      {(fields) => <LanguagePicker fields={fields} />}
    </UserPartForm>
  );
}

const aboutFormOf = (user: OwnUser) => ({
  firstName: user.firstName ?? '',
  lastName: user.lastName ?? '',
  birthDate: user.birthDate ?? '',
  gender: user.gender ?? '',
  genderText: user.genderText ?? '',
  bio: user.bio ?? '',
});

/** The birth date cannot be changed once it is set; until then it may be empty. */
const birthDateOf = (user: OwnUser, birthDate: string) =>
  user.birthDate !== null || birthDate === '' ? {} : { birthDate };

/** The remaining characters of the text, once its end is near. */
function leftOf(bio: string): string {
  const left = Math.max(0, bioMaxLength - lengthOf(bio.trim()));
  return left > 100 ? '' : t`${plural({ left }, { one: '# character', other: '# characters' })} left.`;
}

/** The form for name, birth date, gender and a short text. */
export function AboutForm(props: UserPartProps) {
  const { user } = props;
  const isBirthDateSet = user.birthDate !== null;

  return (
    <UserPartForm
      {...props}
      name="about"
      saved={aboutFormOf(user)}
      toBody={({ firstName, lastName, birthDate, gender, genderText, bio }) => ({
        firstName,
        lastName,
        gender: orNull(gender),
        genderText,
        bio,
        ...birthDateOf(user, birthDate),
      })}
    >
      {({ bind, values }) => (
        <>
          <FieldRow>
            <TextField {...bind('firstName')} required label={t`First name`} autoComplete="given-name" />
            <TextField
              {...bind('lastName')}
              label={t`Last name`}
              description={t`Never shown to other members`}
              autoComplete="family-name"
            />
          </FieldRow>
          {isBirthDateSet ? (
            <dl>
              <Hint component="dt">{t`Birth date`}</Hint>
              <Text component="dd" fw={500}>
                {formatDay(user.birthDate)}
              </Text>
            </dl>
          ) : (
            <TextField
              {...bind('birthDate')}
              type="date"
              label={t`Birth date`}
              description={t`Others only see your age. You can't change your birth date later.`}
              autoComplete="bday"
            />
          )}
          <FieldRow>
            <SelectField
              {...bind('gender')}
              label={t`Gender`}
              choices={[
                { value: '', label: t`Please choose` },
                ...genderChoices.map(({ value, label }) => ({ value, label: t(label) })),
              ]}
            />
            <TextField
              {...bind('genderText')}
              label={t`In your own words`}
              description={t`Shown instead, if you like`}
            />
          </FieldRow>
          <TextArea {...bind('bio')} label={t`About you`} remark={leftOf(values.bio)} />
        </>
      )}
    </UserPartForm>
  );
}
