import { bioMaxLength } from '#contract/constants.ts';
import { editProfile } from '#contract/profiles/profiles.ts';
import type { OwnUser } from '#contract/profiles/user.ts';
import { SelectField } from '../../../ui/form/SelectField.tsx';
import { TextArea } from '../../../ui/form/TextArea.tsx';
import { TextField } from '../../../ui/form/TextField.tsx';
import { formatDay } from '../../../ui/text/format.ts';
import { t } from '../../../ui/text/text.ts';
import classes from './profile.module.css';
import { orNull, type OwnPart, type PartFormProps, ProfileForm, sendPart } from './ProfileForm.tsx';

const genderChoices = [
  { value: 'woman', label: 'Woman' },
  { value: 'man', label: 'Man' },
  { value: 'non-binary', label: 'Non-binary' },
] as const;

const formOf = (user: OwnUser) => ({
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
      saved={formOf(user)}
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
