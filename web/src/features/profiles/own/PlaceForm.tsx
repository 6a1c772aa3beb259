import { IconCurrentLocation } from '@tabler/icons-react';
import { useState } from 'react';
import { placeMovesPerDay } from '#contract/constants.ts';
import { changeLocation, editProfile } from '#contract/profiles/profiles.ts';
import type { OwnUser } from '#contract/profiles/user.ts';
import { dropDraft } from '../../../api/session/drafts.ts';
import { call } from '../../../api/call.ts';
import { knownPlaces } from '../../../api/session/known-places.ts';
import { useCommand } from '../../../api/use-command.ts';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { CityField } from '../../../ui/form/CityField.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { TextField } from '../../../ui/form/TextField.tsx';
import { useText } from '../../../ui/text/text.ts';
import { type PartFormProps, profileDraft, ProfileForm } from './ProfileForm.tsx';
import classes from './profile.module.css';

const waitMs = 15_000;
const freshForMs = 600_000;
/** Hundredths of a degree, about a kilometre: finer than what is kept, and nothing finer leaves the device. */
const steps = 100;

interface Point {
  latitude: number;
  longitude: number;
}

/** Why the device tells no place. */
class NoPlace extends Error {
  readonly isRefused: boolean;

  constructor(isRefused: boolean) {
    super('No place');
    this.isRefused = isRefused;
  }
}

/** Whether this browser can tell where it is. */
function canLocate(): boolean {
  return 'geolocation' in navigator;
}

/** Roughly where the device is; rejects with `NoPlace`. */
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

const refusedText = 'Your browser does not tell us where you are. You can allow it there, or name your city below.';
const notFoundText = 'Your device could not find out where it is. You can name your city below.';

/** Where one lives: by the device, or in words. */
export function PlaceForm({ user, onMoved, ...rest }: PlaceFormProps) {
  const t = useText();
  const [isLocating, setLocating] = useState(false);
  const [unlocated, setUnlocated] = useState<string | null>(null);
  const command = useCommand();

  async function move(place: Point | { city: string; country: string }) {
    onMoved((await call(changeLocation, { body: place })).data.location);
  }

  async function moveByDevice() {
    setLocating(true);
    setUnlocated(null);
    try {
      const point = await locate();
      if (!(await command.run(() => move(point)))) return;
      dropDraft(profileDraft('place'));
      rest.onDone();
    } catch (error) {
      setUnlocated(error instanceof NoPlace && error.isRefused ? refusedText : notFoundText);
    } finally {
      setLocating(false);
    }
  }

  return (
    <div className={classes.form}>
      <p className={classes.hint}>
        {t(
          'We keep only the middle of an area some three kilometres across, never the exact point. You can move {count} times a day.',
          { count: placeMovesPerDay },
        )}
      </p>
      {canLocate() && (
        <div className={classes.buttons}>
          <BusyButton
            variant="light"
            isBusy={isLocating || command.isPending}
            busyText={t('Finding your place...')}
            leftSection={<IconCurrentLocation size={18} stroke={1.75} aria-hidden="true" />}
            onClick={() => void moveByDevice()}
          >
            {t('Use my location')}
          </BusyButton>
        </div>
      )}
      {unlocated !== null && <Notice kind="warning">{t(unlocated)}</Notice>}
      {command.error !== null && <Notice kind="error">{t(command.error)}</Notice>}
      <ProfileForm
        {...rest}
        name="place"
        saved={{ city: user.location?.city ?? '', country: user.location?.country ?? '' }}
        schema={editProfile.body}
        toBody={(location) => ({ location })}
        fieldOf={(field) => field.split('.').at(-1) ?? field}
        send={({ location }) => (location ? move(location) : Promise.resolve())}
      >
        {({ bind, set }) => (
          <div className={classes.pair}>
            <CityField
              {...bind('city')}
              required
              label={t('City')}
              dir="auto"
              suggest={knownPlaces}
              onCity={(city, country) => {
                set('city', city);
                if (country !== null) set('country', country);
              }}
            />
            <TextField {...bind('country')} required label={t('Country')} autoComplete="country-name" dir="auto" />
          </div>
        )}
      </ProfileForm>
    </div>
  );
}
