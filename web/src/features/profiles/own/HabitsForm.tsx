import {
  childrenAnswers,
  drinkingAnswers,
  exerciseAnswers,
  heightMaxCm,
  heightMinCm,
  relationshipGoals,
  smokingAnswers,
} from '#contract/profiles/profile-details.ts';
import { editProfile } from '#contract/profiles/profiles.ts';
import type { OwnUser } from '#contract/profiles/user.ts';
import { SelectField } from '../../../ui/form/SelectField.tsx';
import { TextField } from '../../../ui/form/TextField.tsx';
import { useText } from '../../../ui/text/text.ts';
import { childrenWords, drinkingWords, exerciseWords, goalWords, smokingWords } from '../../../ui/text/detail-words.ts';
import { type OwnPart, orNull, sendPart } from './edit-profile.ts';
import { type PartFormProps, ProfileForm } from './ProfileForm.tsx';
import classes from './ProfileForm.module.css';

const formOf = ({ goal, children, smoking, drinking, exercise, heightCm }: OwnUser) => ({
  goal: goal ?? '',
  children: children ?? '',
  smoking: smoking ?? '',
  drinking: drinking ?? '',
  exercise: exercise ?? '',
  heightCm: heightCm === null ? '' : String(heightCm),
});

/** What is typed as a number; what is none is for the contract to refuse. */
const numberOf = (text: string) => (text.trim() === '' ? null : Number(text));

/** What somebody is here for, and how they live. */
export function HabitsForm({ user, onUser, ...rest }: OwnPart & PartFormProps) {
  const t = useText();
  const choicesOf = <K extends string>(keys: readonly K[], words: Record<K, string>) => [
    { value: '', label: t('I would rather not say') },
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
          <SelectField {...bind('goal')} label={t('Here for')} choices={choicesOf(relationshipGoals, goalWords)} />
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

/** What somebody is here for, alone. */
export function GoalForm({ user, onUser, ...rest }: OwnPart & PartFormProps) {
  const t = useText();
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
          label={t('Here for')}
          choices={[
            { value: '', label: t('I would rather not say') },
            ...relationshipGoals.map((goal) => ({ value: goal, label: t(goalWords[goal]) })),
          ]}
        />
      )}
    </ProfileForm>
  );
}
