import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { changeLocation } from '#contract/profiles/profiles.ts';
import type { OwnUser } from '#contract/profiles/user.ts';
import { ApiError } from '../../../api/api-error.ts';
import { call } from '../../../api/call.ts';

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
export function canLocate(): boolean {
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

const refusedText = msg`Your browser is not sharing your location. You can allow it there, or enter your city below.`;
const notFoundText = msg`Your device could not find its location. You can enter your city below.`;

/** Shown next to a city that is not on the list. */
export const unknownText = msg`We don't know this place, so distances won't be shown. Pick a city from the list to show them.`;

/** Changes where the member lives, to a typed city or to the place of the device. `onMoved` gets the place as it is stored. */
export function usePlace(onMoved: (location: OwnUser['location']) => void) {
  const [isLocating, setLocating] = useState(false);
  const [unlocated, setUnlocated] = useState<MessageDescriptor | null>(null);
  const command = useMutation({ mutationFn: (place: Point | { city: string; country: string }) => move(place) });

  async function move(place: Point | { city: string; country: string }) {
    onMoved((await call(changeLocation, { body: place })).data.location);
  }

  /** Returns whether the device was found and its place is stored; if not, the reason is in `unlocated` or `error`. */
  async function moveByDevice(): Promise<boolean> {
    setLocating(true);
    setUnlocated(null);
    try {
      await command.mutateAsync(await locate());
      return true;
    } catch (error) {
      if (!(error instanceof ApiError)) {
        setUnlocated(error instanceof NoPlace && error.isRefused ? refusedText : notFoundText);
      }
      return false;
    } finally {
      setLocating(false);
    }
  }

  return { move, moveByDevice, isLocating: isLocating || command.isPending, unlocated, error: command.error };
}
