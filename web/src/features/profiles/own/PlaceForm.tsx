import { t } from '@lingui/core/macro';
import { Stack } from '@mantine/core';
import { IconCurrentLocation } from '@tabler/icons-react';
import { Link } from 'react-router';
import { placeMovesPerDay } from '#contract/constants.ts';
import { editProfile } from '#contract/profiles/profiles.ts';
import type { OwnUser } from '#contract/profiles/user.ts';
import { errorCode } from '../../../api/api-error.ts';
import { FieldRow } from '../../../ui/form/Form.tsx';
import { dropDraft } from '../../../ui/form/drafts.ts';
import { knownPlaces } from '../../../api/known-places.ts';
import { ErrorNotice, Notice } from '../../../ui/feedback/Notice.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { CityField, cityOfRegion } from '../../../ui/form/CityField.tsx';
import { TextField } from '../../../ui/form/Field.tsx';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { Buttons } from '../../../ui/layout/Rows.tsx';
import { cityIn, countryIn } from '../../../ui/text/text.ts';
import { profileDraft } from './own-parts.ts';
import { type PartFormProps, ProfileForm } from './ProfileForm.tsx';
import { canLocate, unknownText, usePlace } from './use-place.ts';

interface PlaceFormProps extends PartFormProps {
  user: OwnUser;
  onMoved: (location: OwnUser['location']) => void;
}

/** The form for where the member lives, which is taken from the device's location or typed in. */
export function PlaceForm({ user, onMoved, ...rest }: PlaceFormProps) {
  const { move, moveByDevice, isLocating, unlocated, error } = usePlace(onMoved);

  async function takeDevice() {
    if (!(await moveByDevice())) return;
    dropDraft(profileDraft('place'));
    rest.onDone();
  }

  return (
    <Stack gap="1.1rem">
      <Hint>
        {t`We only store the middle of an area about three kilometers across, never the exact point. You can change it ${{ count: placeMovesPerDay }} times a day.`}
      </Hint>
      {canLocate() && (
        <Buttons ofForm>
          <BusyButton
            variant="light"
            isBusy={isLocating}
            busyText={t`Finding your location...`}
            leftSection={<IconCurrentLocation size={18} stroke={1.75} aria-hidden="true" />}
            onClick={() => void takeDevice()}
          >
            {t`Use my location`}
          </BusyButton>
        </Buttons>
      )}
      {unlocated !== null && <Notice kind="warning">{t(unlocated)}</Notice>}
      <ErrorNotice error={error} />
      {errorCode(error) === 'AGE_ASSURANCE_REQUIRED' && <Link to="/app/verify-age">{t`Confirm my age`}</Link>}
      <ProfileForm
        {...rest}
        name="place"
        saved={{ city: cityIn(user.location), country: countryIn(user.location?.country ?? '') }}
        schema={editProfile.body}
        toBody={(location) => ({ location })}
        fieldOf={(field) => field.split('.').at(-1) ?? field}
        send={({ location }) => (location ? move(location) : Promise.resolve())}
      >
        {({ bind, set, values }) => (
          <FieldRow>
            <CityField
              {...bind('city')}
              required
              label={t`City`}
              suggest={knownPlaces}
              unknown={{ country: values.country, text: t(unknownText) }}
              onCity={(city, country, region) => {
                set('city', cityOfRegion(city, region));
                if (country !== null) set('country', country);
              }}
            />
            <TextField {...bind('country')} required label={t`Country`} autoComplete="country-name" />
          </FieldRow>
        )}
      </ProfileForm>
    </Stack>
  );
}
