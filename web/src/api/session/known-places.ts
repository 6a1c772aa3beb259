import { searchPlaces } from '#contract/profiles/profiles.ts';
import { call } from '../call.ts';

type Place = Record<'city' | 'country', string>;

/** Known cities that begin so, with their countries; null where it cannot be told. */
export async function knownPlaces(search: string, signal: AbortSignal): Promise<readonly Place[] | null> {
  try {
    return (await call(searchPlaces, { query: { search }, signal })).data.places;
  } catch {
    return null;
  }
}
