const waitMs = 15_000;
const freshForMs = 600_000;
/** Hundredths of a degree, about a kilometre: finer than what is kept, and nothing finer leaves the device. */
const steps = 100;

export interface Point {
  latitude: number;
  longitude: number;
}

/** Why the device tells no place. */
export class NoPlace extends Error {
  readonly isRefused: boolean;

  constructor(isRefused: boolean) {
    super('No place');
    this.isRefused = isRefused;
  }
}

/** Whether this browser can tell where it is. */
export function canLocate(): boolean {
  return 'geolocation' in navigator;
}

/** Roughly where the device is; rejects with `NoPlace`. */
export function locate(): Promise<Point> {
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
