import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Button, Group, Stack, Title } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useId } from 'react';
import { Link } from 'react-router';
import { type Preferences, putPreferences } from '#contract/discovery.ts';
import { heightMaxCm, heightMinCm } from '#contract/profiles/profile-details.ts';
import { ApiError } from '../../../api/api-error.ts';
import { knownPlaces } from '../../../api/service-config.ts';
import { Disclosure } from '../../../ui/data/Disclosure.tsx';
import { Dialog } from '../../../ui/feedback/Dialog.tsx';
import { Notice, reasonOf } from '../../../ui/feedback/Notice.tsx';
import { QueryStates } from '../../../ui/feedback/PageStates.tsx';
import { BasicPreferenceFields, listOf } from '../../../ui/form/BasicPreferenceFields.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { CheckField, SelectField, TextField } from '../../../ui/form/Field.tsx';
import { CityField } from '../../../ui/form/CityField.tsx';
import { InterestPicker, LanguagePicker } from '../../../ui/form/ChipPicker.tsx';
import { ChoiceGroup, FieldRow, Form } from '../../../ui/form/Form.tsx';
import { type useFields, useForm } from '../../../ui/form/use-form.ts';
import { Hint, Well } from '../../../ui/layout/text-blocks.tsx';
import { goalWords, habits } from '../../../ui/text/detail-words.ts';
import { unitsFor } from '../../../ui/text/text.ts';
import { usePreferences, useSavePreferences } from '../queries.ts';
import { SavedFilters } from './SavedFilters.tsx';
import {
  changedBody,
  filtersOf,
  formOfPreferences,
  preferenceErrors,
  preferenceField,
  type PreferenceForm,
  takesPremium,
} from './preference-form.ts';

interface PreferencesSheetProps {
  isPremium: boolean;
  onSaved: () => void;
  onClose: () => void;
}

interface PreferencesFormProps extends PreferencesSheetProps {
  id: string;
  saved: Preferences;
  save: ReturnType<typeof useSavePreferences>;
}

function PreferencesForm({ id, saved, save, isPremium, onSaved, onClose }: PreferencesFormProps) {
  const before = formOfPreferences(saved);
  const changes = (values: PreferenceForm) => changedBody(before, values);
  const form = useForm({
    initial: before,
    schema: putPreferences.body,
    toBody: changes,
    check: preferenceErrors,
    fieldOf: preferenceField,
    send: (body) => (Object.keys(body).length === 0 ? Promise.resolve() : save.mutateAsync(body)),
    onSent: () => (Object.keys(changes(form.values)).length === 0 ? onClose : onSaved)(),
  });
  const needsPremium = form.error instanceof ApiError && form.error.code === 'PREMIUM_REQUIRED';

  return (
    <Form ref={form.form} id={id} onSubmit={form.submit}>
      <BasicPreferenceFields fields={form} />
      <CheckField
        {...form.bindCheckbox('photoVerifiedOnly')}
        label={t`Photo verified only`}
        description={t`Only people whose selfies our team has compared with their pictures.`}
      />
      <FurtherPreferences fields={form} isPremium={isPremium} />
      <BrowsingFields fields={form} isPremium={isPremium} />
      <SavedFilters current={() => filtersOf(form.values)} onApplied={onSaved} />
      {(form.problem ?? form.error) !== null && (
        <Notice
          kind="error"
          action={
            needsPremium && (
              <Button component={Link} to="/app/premium" variant="default" size="xs">
                {t`What premium adds`}
              </Button>
            )
          }
        >
          {form.error === null
            ? (form.problem ?? '')
            : t`Couldn't save your preferences: ${{ error: reasonOf(form.error) }}`}
        </Notice>
      )}
    </Form>
  );
}

/** The member's preferences, in a sheet over the deck; they are saved together. */
export function PreferencesSheet(props: PreferencesSheetProps) {
  const id = useId();
  const save = useSavePreferences();
  const query = usePreferences();
  return (
    <Dialog
      title={t`Who you want to see`}
      onClose={props.onClose}
      actions={
        <>
          <Button variant="default" onClick={props.onClose}>
            {t`Cancel`}
          </Button>
          {query.data && (
            <BusyButton type="submit" form={id} isBusy={save.isPending} busyText={t`Saving...`}>
              {t`Save`}
            </BusyButton>
          )}
        </>
      }
    >
      <QueryStates
        query={query}
        loadingText={t`Loading your preferences...`}
        skeleton="40rem"
        errorText={(error) => t`Couldn't load your preferences: ${error}`}
      >
        {(saved) => <PreferencesForm {...props} id={id} saved={saved} save={save} />}
      </QueryStates>
    </Dialog>
  );
}

interface PreferenceFieldsProps {
  fields: Pick<ReturnType<typeof useFields<PreferenceForm>>, 'bind' | 'set' | 'values'>;
  isPremium: boolean;
}

type Picked = 'interests' | 'languages';
type Habit = 'goal' | 'children' | 'smoking' | 'drinking' | 'exercise';

const choices: { preference: Habit; title: MessageDescriptor; words: Record<string, MessageDescriptor> }[] = [
  { preference: 'goal', title: msg`What they are here for`, words: goalWords },
  ...habits.map(({ name, ...habit }) => ({ preference: name, ...habit })),
];

/**
 * Whether a preference is required. Preferences that need premium can only be required with premium, or if they already
 * are.
 */
function Must({
  preference,
  title,
  fields,
  isPremium,
}: PreferenceFieldsProps & { preference: Picked | Habit | 'height'; title: string }) {
  const isFree = !takesPremium(preference === 'height' ? 'heightCm' : preference);
  if (!isFree && !isPremium && fields.values[`${preference}Must`] !== 'true') return null;
  return (
    <SelectField
      {...fields.bind(`${preference}Must`)}
      label={t`${{ preference: title }}: this preference is`}
      choices={[
        { value: 'false', label: t`Nice to have` },
        { value: 'true', label: t`A must` },
      ]}
    />
  );
}

/** Interests, goal, languages, habits and height, each of which can be required or optional. */
function FurtherPreferences({ fields, isPremium }: PreferenceFieldsProps) {
  const { bind, set, values } = fields;
  const must = { fields, isPremium };
  const titleWithCount = (title: string, preference: Picked) => {
    const count = listOf(values[preference]).length;
    return count === 0 ? title : t`${title} (${count})`;
  };

  return (
    <>
      <Disclosure title={titleWithCount(t`Interests`, 'interests')} heading="h3" isLazy>
        <Stack gap="0.8rem">
          <InterestPicker fields={fields} />
          <Must preference="interests" title={t`Interests`} {...must} />
        </Stack>
      </Disclosure>
      <Title order={3} mt="0.5rem" mb="-0.5rem">
        {t`More about them`}
      </Title>
      {!isPremium && (
        <PremiumLock>
          {t`These are nice to have: people who match them come first. With premium you can make them a must.`}
        </PremiumLock>
      )}
      {choices.map(({ preference, title, words }) => (
        <Stack key={preference} gap="0.8rem">
          <ChoiceGroup
            type="checkbox"
            name={preference}
            legend={t(title)}
            choices={Object.entries(words).map(([value, label]) => ({ value, label: t(label) }))}
            chosen={listOf(values[preference])}
            isRow
            error={bind(preference).error}
            onChange={(chosen) => set(preference, chosen.join(','))}
          />
          <Must preference={preference} title={t(title)} {...must} />
        </Stack>
      ))}
      <Stack component="fieldset" gap="0.8rem">
        <legend>{t`Height`}</legend>
        <FieldRow isShort>
          <TextField
            {...bind('heightMin')}
            label={t`From height, cm`}
            placeholder={String(heightMinCm)}
            inputMode="numeric"
            maxLength={unitsFor(3)}
          />
          <TextField
            {...bind('heightMax')}
            label={t`To height, cm`}
            placeholder={String(heightMaxCm)}
            inputMode="numeric"
            maxLength={unitsFor(3)}
          />
          <Must preference="height" title={t`Height`} {...must} />
        </FieldRow>
      </Stack>
      <Disclosure title={titleWithCount(t`Languages`, 'languages')} heading="h3" isLazy>
        <Stack gap="0.8rem">
          <LanguagePicker fields={fields} />
          <Must preference="languages" title={t`Languages`} {...must} />
        </Stack>
      </Disclosure>
    </>
  );
}

interface LookChoicesProps {
  fields: Pick<ReturnType<typeof useFields<PreferenceForm>>, 'bind' | 'bindCheckbox' | 'set' | 'values'>;
  isPremium: boolean;
}

/**
 * How the member browses: the order, and with premium whether they are invisible and in which city. Without premium, a
 * saved setting can only be removed.
 */
function BrowsingFields({ fields, isPremium }: LookChoicesProps) {
  const { bind, bindCheckbox, set, values } = fields;
  const isElsewhere = values.city !== '' || values.country !== '';

  return (
    <>
      <ChoiceGroup
        type="radio"
        name="order"
        legend={t`Order`}
        choices={[
          { value: 'matching', label: t`Best match: people who are likely to suit you both come first` },
          { value: 'newest', label: t`Newest first: everyone who matches your preferences, by when they joined` },
        ]}
        chosen={[values.order]}
        onChange={([order = 'matching']) => set('order', order)}
      />
      <Stack component="fieldset" gap="0.8rem">
        <legend>{t`With premium`}</legend>
        {!isPremium && <PremiumLock>{t`Browsing unseen or in another city needs premium.`}</PremiumLock>}
        <CheckField
          {...bindCheckbox('incognito')}
          disabled={!isPremium && !values.incognito}
          label={t`Incognito`}
          description={t`Only people you like see you.`}
        />
        {(isPremium || isElsewhere) && (
          <>
            <Hint>{t`Browse another city as if you lived there. Leave this empty for your own.`}</Hint>
            <FieldRow isShort>
              <CityField
                {...bind('city')}
                label={t`Another city`}
                suggest={knownPlaces}
                onCity={(city, country) => {
                  set('city', city);
                  if (country !== null) set('country', country);
                }}
              />
              <TextField {...bind('country')} label={t`Country`} autoComplete="off" />
            </FieldRow>
          </>
        )}
        {isElsewhere && (
          <div>
            <Button
              variant="default"
              size="xs"
              onClick={() => {
                set('city', '');
                set('country', '');
              }}
            >
              {t`Back to my own city`}
            </Button>
          </div>
        )}
      </Stack>
    </>
  );
}

/** Says which feature needs premium, with a link to it. */
function PremiumLock({ children }: { children: string }) {
  return (
    <Well>
      <Group component="p" gap="0.6rem" wrap="nowrap" align="flex-start">
        <IconLock size={18} stroke={1.75} aria-hidden="true" />
        <span>
          {children} <Link to="/app/premium">{t`What premium adds`}</Link>
        </span>
      </Group>
    </Well>
  );
}
