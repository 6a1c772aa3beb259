import { getPreferences, noPreferences, type Preferences, putPreferences } from '#contract/discovery.ts';
import type { OwnPicture } from '#contract/picture.ts';
import {
  changeLocation,
  completeProfile,
  editProfile,
  profileCompletionFields,
  searchPlaces,
} from '#contract/profiles.ts';
import type { OwnUser } from '#contract/user.ts';
import { Refusal, serve } from './fake-server.ts';
import { serveAnswers } from './own-answers.ts';
import { serveOwnPictures } from './own-pictures.ts';
import { serveMyReports } from './own-reports.ts';
import { serveBasics } from './render-app.tsx';

const isBlank = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0);
const isCounted = ({ state }: OwnPicture) => state !== 'rejected';
const missingOf = (user: OwnUser) =>
  profileCompletionFields.filter((field) =>
    field === 'pictures' ? !user.pictures.some(isCounted) : isBlank(user[field]),
  );

/** Answers the calls of a member's own profile, keeps what is sent, and answers the member as they are then. */
export function serveOwnProfile(first: OwnUser, wishes: Partial<Preferences> = {}): () => OwnUser {
  let user = first;
  let preferences: Preferences = { seeking: first.seeking, ...noPreferences, incognito: false, ...wishes };

  function keep(change: object): OwnUser {
    const given = Object.entries(change).filter(([, value]) => value !== undefined);
    const cleared = given.map(([name, value]): [string, unknown] => [name, value === '' ? null : value]);
    user = { ...user, ...(Object.fromEntries(cleared) as Partial<OwnUser>) };
    user = { ...user, profileComplete: missingOf(user).length === 0 };
    serveBasics(user);
    return user;
  }

  serveMyReports([]);
  serveAnswers();
  serve(editProfile, ({ body }) => ({ update: { user: keep(body) } }));
  serve(completeProfile, ({ body }) => {
    const errors = missingOf(keep(body)).map((field) => ({ field, msg: `Tell us ${field}` }));
    if (errors.length > 0) throw new Refusal('PROFILE_FIELDS_MISSING', errors[0]?.msg ?? '', { errors });
    return { account: { user }, onboardingComplete: true };
  });
  serve(searchPlaces, () => ({ data: { places: [] } }));
  serve(changeLocation, ({ body }) => {
    const location = 'city' in body ? body : { city: 'Umeå', country: 'Sweden' };
    return { data: { location: keep({ location }).location } };
  });
  serveOwnPictures(
    () => user.pictures,
    (pictures) => keep({ pictures }),
  );
  serve(getPreferences, () => ({ data: { preferences } }));
  serve(putPreferences, ({ body }) => {
    const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
    preferences = { ...preferences, ...given, seeking: body.seeking ?? preferences.seeking };
    keep({ seeking: preferences.seeking });
    return { data: { preferences } };
  });
  return () => user;
}

/** Puts a device's location in place: a point, or a refusal by its code. */
export function placeDevice(answer: { latitude: number; longitude: number } | { code: 1 | 2 | 3 }): void {
  Object.defineProperty(navigator, 'geolocation', {
    configurable: true,
    value: {
      getCurrentPosition: (found: PositionCallback, failed: PositionErrorCallback) => {
        if ('code' in answer) failed({ ...answer, PERMISSION_DENIED: 1 } as GeolocationPositionError);
        else found({ coords: answer } as GeolocationPosition);
      },
    },
  });
}
