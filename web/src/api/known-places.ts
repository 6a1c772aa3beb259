import { searchPlaces } from '#contract/profiles/profiles.ts';
import { call } from './call.ts';

type Place = Record<'city' | 'country', string>;

/** Known cities that start with the text, with their countries; null if they cannot be loaded. */
export async function knownPlaces(search: string, signal: AbortSignal): Promise<readonly Place[] | null> {
  try {
    return (await call(searchPlaces, { query: { search }, signal })).data.places;
  } catch {
    return null;
  }
}
