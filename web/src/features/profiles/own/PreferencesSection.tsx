import { t } from '@lingui/core/macro';
import { Button, Text } from '@mantine/core';
import { type Preferences, putPreferences } from '#contract/discovery.ts';
import type { BodyInput } from '#contract/endpoint.ts';
import { call } from '../../../api/call.ts';
import { type AgeRange, shownAges } from '../../../ui/form/AgeSlider.tsx';
import {
  basicErrors,
  basicField,
  basicFormOf,
  BasicPreferenceFields,
  basicPreferencesOf,
  soughtWords,
} from '../../../ui/form/BasicPreferenceFields.tsx';
import { Facts } from '../../../ui/data/Facts.tsx';
import { Panel } from '../../../ui/layout/Page.tsx';
import { formatDistance } from '../../../ui/text/distance.ts';
import { formatNumber } from '../../../ui/text/format.ts';
import { listed } from '../../../ui/text/text.ts';
import { ownParts } from './own-parts.ts';
import { type PartFormProps, ProfileForm } from './ProfileForm.tsx';

interface PreferencesFormProps extends PartFormProps {
  preferences: Preferences;
  onPreferences: (preferences: Preferences) => void;
}

/** The form for the people that the member would like to meet, and which preferences are required. */
export function PreferencesForm({ preferences, onPreferences, ...rest }: PreferencesFormProps) {
  async function send(body: BodyInput<typeof putPreferences>) {
    onPreferences((await call(putPreferences, { body })).data.preferences);
  }

  return (
    <ProfileForm
      {...rest}
      name="wishes"
      saved={basicFormOf(preferences)}
      schema={putPreferences.body}
      toBody={basicPreferencesOf}
      check={basicErrors}
      fieldOf={basicField}
      send={send}
    >
      {(fields) => <BasicPreferenceFields fields={fields} />}
    </ProfileForm>
  );
}

interface PreferencesSectionProps {
  preferences: Preferences;
  onEdit: () => void;
}

/** The people that the member would like to meet; no one else can see this. */
export function PreferencesSection({ preferences, onEdit }: PreferencesSectionProps) {
  const { seeking, age, distance } = preferences;
  const weigh = (words: string, isMust: boolean) => (isMust ? t`${words} (a must)` : t`${words} (nice to have)`);
  const ages = ({ min, max }: AgeRange) => t`${{ min: formatNumber(min) }} to ${{ max: formatNumber(max) }}`;
  const facts = [
    [
      t`I would like to meet`,
      seeking.length === 0
        ? null
        : listed(
            seeking.map((gender) => t(soughtWords[gender])),
            'commas',
          ),
    ],
    [t`Age`, age && weigh(ages(shownAges(age)), age.required)],
    [t`Distance`, distance && weigh(t`Up to ${{ distance: formatDistance(distance.maxKm) }}`, distance.required)],
  ] as const;
  const title = t(ownParts.wishes);
  return (
    <Panel
      title={title}
      lead={t`Other members never see this.`}
      actions={
        <Button variant="default" size="xs" aria-label={t`Edit ${{ part: title }}`} onClick={onEdit}>
          {t`Edit`}
        </Button>
      }
    >
      {facts.every(([, words]) => words === null) ? (
        <Text c="dimmed">{t`Nothing here yet.`}</Text>
      ) : (
        <Facts facts={facts.map(([name, words]) => words !== null && [name, words])} columns={3} />
      )}
    </Panel>
  );
}
