import { type Preferences, putPreferences } from '#contract/discovery/discovery.ts';
import type { BodyInput } from '#contract/endpoint.ts';
import { call } from '../../../api/call.ts';
import { formOfWishes, wishesErrors, wishesField, wishesOf } from '../../../ui/form/wishes-form.ts';
import { WishFields } from '../../../ui/form/WishFields.tsx';
import { type PartFormProps, ProfileForm } from './ProfileForm.tsx';

interface WishesFormProps extends PartFormProps {
  preferences: Preferences;
  onPreferences: (preferences: Preferences) => void;
  /** Asks for somebody to be sought, and leaves the distance for later. */
  isFirst?: boolean;
}

/** Whom one wants to see, and what of it is a must. */
export function WishesForm({ preferences, onPreferences, isFirst = false, ...rest }: WishesFormProps) {
  async function send(body: BodyInput<typeof putPreferences>) {
    onPreferences((await call(putPreferences, { body })).data.preferences);
  }

  return (
    <ProfileForm
      {...rest}
      name="wishes"
      saved={formOfWishes(preferences)}
      schema={putPreferences.body}
      toBody={wishesOf}
      check={(values) => [
        ...(isFirst && values.seeking === '' ? [{ field: 'seeking', msg: 'Choose whom you seek' }] : []),
        ...wishesErrors(values),
      ]}
      fieldOf={wishesField}
      send={send}
    >
      {(fields) => <WishFields fields={fields} isFirst={isFirst} />}
    </ProfileForm>
  );
}
