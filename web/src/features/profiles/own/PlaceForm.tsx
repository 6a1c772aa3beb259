import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Stack } from '@mantine/core';
import { IconCurrentLocation } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { placeMovesPerDay } from '#contract/constants.ts';
import { changeLocation, editProfile } from '#contract/profiles/profiles.ts';
import type { OwnUser } from '#contract/profiles/user.ts';
import { ApiError, errorCode } from '../../../api/api-error.ts';
import { call } from '../../../api/call.ts';
import { FieldRow } from '../../../ui/form/Form.tsx';
import { dropDraft } from '../../../ui/form/drafts.ts';
import { knownPlaces } from '../../../api/service-config.ts';
import { ErrorNotice, Notice } from '../../../ui/feedback/Notice.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { CityField, cityOfRegion } from '../../../ui/form/CityField.tsx';
import { TextField } from '../../../ui/form/Field.tsx';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { Buttons } from '../../../ui/layout/Rows.tsx';
import { cityIn, countryIn } from '../../../ui/text/text.ts';
import { type PartFormProps, profileDraft, ProfileForm } from './ProfileForm.tsx';

const waitMs = 15_000;
const freshForMs = 600_000;
/**
 * Locations are rounded to hundredths of a degree, about a kilometre, so that nothing more precise leaves the device.
 */
const steps = 100;

interface Point {
  latitude: number;
  longitude: number;
}

/** The device has no location, or the person has not allowed access (`isRefused`). */
class NoPlace extends Error {
  readonly isRefused: boolean;

  constructor(isRefused: boolean) {
    super('No place');
    this.isRefused = isRefused;
  }
}

/** Whether this browser can find its location. */
function canLocate(): boolean {
  return 'geolocation' in navigator;
}

/** The rough location of the device; rejects with `NoPlace`. */
function locate(): Promise<Point> {
  return new Promise((resolve, reject) => {
    navigator.geolocation.getCurrentPosition(
      ({ coords }) =>
        resolve({
          latitude: Math.round(coords.latitude * steps) / steps,
          longitude: Math.round(coords.longitude * steps) / steps,
        }),
      ({ code, PERMISSION_DENIED }) => reject(new NoPlace(code === PERMISSION_DENIED)),
      { timeout: waitMs, maximumAge: freshForMs },
    );
  });
}

interface PlaceFormProps extends PartFormProps {
  user: OwnUser;
  onMoved: (location: OwnUser['location']) => void;
}

const refusedText = msg`Your browser is not sharing your location. You can allow it there, or enter your city below.`;
const notFoundText = msg`Your device could not find its location. You can enter your city below.`;

const unknownText = msg`We don't know this place, so distances won't be shown. Pick a city from the list to show them.`;

/** The form for where the member lives, which is taken from the device's location or typed in. */
export function PlaceForm({ user, onMoved, ...rest }: PlaceFormProps) {
  const [isLocating, setLocating] = useState(false);
  const [unlocated, setUnlocated] = useState<MessageDescriptor | null>(null);
  const command = useMutation({ mutationFn: (place: Point | { city: string; country: string }) => move(place) });

  async function move(place: Point | { city: string; country: string }) {
    onMoved((await call(changeLocation, { body: place })).data.location);
  }

  async function moveByDevice() {
    setLocating(true);
    setUnlocated(null);
    try {
      const point = await locate();
      await command.mutateAsync(point);
      dropDraft(profileDraft('place'));
      rest.onDone();
    } catch (error) {
      if (!(error instanceof ApiError)) {
        setUnlocated(error instanceof NoPlace && error.isRefused ? refusedText : notFoundText);
      }
    } finally {
      setLocating(false);
    }
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
            isBusy={isLocating || command.isPending}
            busyText={t`Finding your location...`}
            leftSection={<IconCurrentLocation size={18} stroke={1.75} aria-hidden="true" />}
            onClick={() => void moveByDevice()}
          >
            {t`Use my location`}
          </BusyButton>
        </Buttons>
      )}
      {unlocated !== null && <Notice kind="warning">{t(unlocated)}</Notice>}
      <ErrorNotice error={command.error} />
      {errorCode(command.error) === 'AGE_ASSURANCE_REQUIRED' && <Link to="/app/verify-age">{t`Confirm my age`}</Link>}
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
