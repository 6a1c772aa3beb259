import { useEffect } from 'react';

/** Fetches pictures that will be looked at next, so that they are there then. */
export function usePreload(addresses: readonly string[]): void {
  const all = addresses.join(' ');
  useEffect(() => {
    for (const address of all.split(' ')) if (address !== '') new Image().src = address;
  }, [all]);
}
