import { t } from '@lingui/core/macro';
import { Group, Text } from '@mantine/core';
import { IconCurrentLocation, IconMapPin } from '@tabler/icons-react';
import { Link } from 'react-router';
import { editProfile } from '#contract/profiles/profiles.ts';
import type { OwnUser } from '#contract/profiles/user.ts';
import { errorCode } from '../../../../api/api-error.ts';
import { knownPlaces } from '../../../../api/known-places.ts';
import { ErrorNotice, Notice } from '../../../../ui/feedback/Notice.tsx';
import { BusyButton } from '../../../../ui/form/BusyButton.tsx';
import { CityField, cityOfRegion } from '../../../../ui/form/CityField.tsx';
import { TextField } from '../../../../ui/form/Field.tsx';
import { StepForm } from '../../../../ui/steps/StepForm.tsx';
import { useForm } from '../../../../ui/form/use-form.ts';
import { placeText } from '../../../../ui/text/person.ts';
import { profileDraft } from '../own-parts.ts';
import { canLocate, unknownText, usePlace } from '../use-place.ts';
import { formProps } from './user-step.ts';

interface PlaceStepProps {
  user: OwnUser;
  onMoved: (location: OwnUser['location']) => void;
  onNext: () => void;
}

/** Where the member lives: found by the device or typed, and shown once it is stored. */
export function PlaceStep({ user: { location }, onMoved, onNext }: PlaceStepProps) {
  const place = usePlace(onMoved);
  const { bind, set, values, reset, ...form } = useForm({
    initial: { city: '', country: '' },
    draft: profileDraft('place'),
    schema: editProfile.body,
    toBody: (typed) => ({ location: typed }),
    fieldOf: (field) => field.split('.').at(-1) ?? field,
    send: ({ location: typed }) => (typed ? place.move(typed) : Promise.resolve()),
    onSent: onNext,
  });
  const isTyped = values.city !== '';
  const found = isTyped ? null : placeText(location);

  return (
    <StepForm
      {...formProps(form)}
      isTall
      onSubmit={(event) => {
        if (found === null) return form.submit(event);
        event.preventDefault();
        onNext();
      }}
    >
      {canLocate() && (
        <BusyButton
          variant="light"
          size="lg"
          px="0.75rem"
          fz="min(1.125rem, 7vw)"
          fullWidth
          isBusy={place.isLocating}
          busyText={t`Finding your location...`}
          leftSection={<IconCurrentLocation size={22} stroke={1.75} aria-hidden="true" />}
          onClick={() => void place.moveByDevice().then((isFound) => isFound && reset())}
        >
          {t`Use my location`}
        </BusyButton>
      )}
      {place.unlocated !== null && <Notice kind="warning">{t(place.unlocated)}</Notice>}
      <ErrorNotice error={place.error} />
      {[place.error, form.error].some((error) => errorCode(error) === 'AGE_ASSURANCE_REQUIRED') && (
        <Link to="/app/verify-age">{t`Confirm my age`}</Link>
      )}
      <CityField
        {...bind('city')}
        required={found === null}
        label={t`City`}
        suggest={knownPlaces}
        unknown={{ country: values.country, text: t(unknownText) }}
        onCity={(city, country, region) => {
          set('city', cityOfRegion(city, region));
          if (country !== null) set('country', country);
        }}
      />
      {isTyped && <TextField {...bind('country')} required label={t`Country`} autoComplete="country-name" />}
      <Group role="status" gap="0.6rem" mih="3rem" fz="large" ff="heading">
        {found !== null && (
          <>
            <IconMapPin size={28} stroke={1.75} aria-hidden="true" />
            <Text component="bdi">{found}</Text>
          </>
        )}
      </Group>
    </StepForm>
  );
}
