import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { placeCellDegrees } from '#contract/constants.ts';
import { snapToPlaceCell } from './distance.ts';

const latitudes = fc.double({ min: -90, max: 90, noNaN: true });
const longitudes = fc.double({ min: -180, max: 180, noNaN: true });

describe('a place cell', () => {
  test('maps its centre to itself', () => {
    fc.assert(
      fc.property(latitudes, longitudes, (latitude, longitude) => {
        const centre = snapToPlaceCell(latitude, longitude);
        expect(snapToPlaceCell(centre.latitude, centre.longitude)).toEqual(centre);
      }),
      { numRuns: 2000 },
    );
  });

  test('has the same centre for every point inside it', () => {
    const inside = fc.double({ min: -0.499, max: 0.499, noNaN: true });
    fc.assert(
      fc.property(
        fc.double({ min: -85, max: 85, noNaN: true }),
        fc.double({ min: -179, max: 179, noNaN: true }),
        inside,
        inside,
        (latitude, longitude, north, east) => {
          const centre = snapToPlaceCell(latitude, longitude);
          const width = placeCellDegrees / Math.cos((centre.latitude * Math.PI) / 180);
          const other = snapToPlaceCell(centre.latitude + north * placeCellDegrees, centre.longitude + east * width);
          expect(other).toEqual(centre);
        },
      ),
      { numRuns: 2000 },
    );
  });

  test('is at most half a cell from its centre to any point, except cells cut short by the 180th meridian', () => {
    fc.assert(
      fc.property(latitudes, longitudes, (latitude, longitude) => {
        const centre = snapToPlaceCell(latitude, longitude);
        const width = placeCellDegrees / Math.cos((centre.latitude * Math.PI) / 180);
        const east = Math.abs((longitude === 180 ? -180 : longitude) - centre.longitude);
        expect(Math.abs(latitude - centre.latitude)).toBeLessThanOrEqual(placeCellDegrees / 2 + 1e-6);
        expect(east).toBeLessThanOrEqual(width / 2 + 1e-6);
      }),
      { numRuns: 2000 },
    );
  });

  test('exists at both poles and along the whole 180th meridian', () => {
    for (let latitude = -90; latitude <= 90; latitude += placeCellDegrees / 2) {
      for (const longitude of [-180, -179.999999, 179.9, 179.999999, 180]) {
        const centre = snapToPlaceCell(Math.min(latitude, 90), longitude);
        expect(snapToPlaceCell(centre.latitude, centre.longitude)).toEqual(centre);
        expect(Math.abs(centre.latitude)).toBeLessThan(90);
        expect(Math.abs(centre.longitude)).toBeLessThanOrEqual(180);
      }
    }
  });

  test('is the same at 180 degrees west and east', () => {
    expect(snapToPlaceCell(12.3, 180)).toEqual(snapToPlaceCell(12.3, -180));
    expect(snapToPlaceCell(12.3, 190)).toEqual(snapToPlaceCell(12.3, -170));
  });
});
