import { promptAnswerMaxLength, promptKeys, prompts } from '#contract/profiles/profile-details.ts';
import { editProfile } from '#contract/profiles/profiles.ts';
import { SelectField } from '../../../ui/form/SelectField.tsx';
import { TextArea } from '../../../ui/form/TextArea.tsx';
import { useText } from '../../../ui/text/text.ts';
import { type OwnPart, sendPart } from './edit-profile.ts';
import { formOfPrompts, promptField, promptGaps, promptRows, promptsOf } from './prompt-form.ts';
import { type PartFormProps, ProfileForm } from './ProfileForm.tsx';
import classes from './ProfileForm.module.css';

/** Three beginnings with one's own endings. */
export function PromptsForm({ user, onUser, ...rest }: OwnPart & PartFormProps) {
  const t = useText();
  return (
    <ProfileForm
      {...rest}
      name="prompts"
      saved={formOfPrompts(user.prompts)}
      schema={editProfile.body}
      toBody={(values) => ({ prompts: promptsOf(values) })}
      check={promptGaps}
      fieldOf={(field, values) => (field.startsWith('prompts') ? promptField(field, values) : field)}
      send={sendPart(onUser)}
    >
      {({ bind, values }) =>
        promptRows.map((row) => {
          const own = values[`prompt${row}`] ?? '';
          const others = promptRows.filter((other) => other !== row).map((other) => values[`prompt${other}`]);
          const length = (values[`answer${row}`] ?? '').trim().length;
          return (
            <fieldset key={row} className={classes.group}>
              <legend className="visually-hidden">{t('Prompt {number}', { number: row + 1 })}</legend>
              <SelectField
                {...bind(`prompt${row}`)}
                label={t('Beginning {number}', { number: row + 1 })}
                choices={[
                  { value: '', label: t('None') },
                  ...promptKeys
                    .filter((key) => key === own || !others.includes(key))
                    .map((key) => ({ value: key, label: t(prompts[key]) })),
                ]}
              />
              <TextArea
                {...bind(`answer${row}`)}
                label={t('Your answer {number}', { number: row + 1 })}
                description={t('{left, plural, one {# character} other {# characters}} left.', {
                  left: Math.max(0, promptAnswerMaxLength - length),
                })}
                rows={2}
                dir="auto"
              />
            </fieldset>
          );
        })
      }
    </ProfileForm>
  );
}
