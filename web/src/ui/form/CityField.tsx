import { type ComponentProps, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { folded } from '#contract/folding.ts';
import { cityIn, countryIn, listed } from '../text/text.ts';
import { TextField } from './Field.tsx';

interface Suggestion {
  city: string;
  country: string;
  /** Where it is, if the country has several cities of that name. */
  region?: string | undefined;
  /** The typed text is the full name of the city in some language. */
  isExact?: boolean | undefined;
}

interface CityFieldProps extends Omit<ComponentProps<typeof TextField>, 'onChange' | 'list' | 'value' | 'remark'> {
  value: string;
  /** The text shown if the city is not known in this country. */
  unknown?: { country: string; text: string };
  /** Loads known cities that start with the typed text; null if they cannot be loaded. */
  suggest: (typed: string, signal: AbortSignal) => Promise<readonly Suggestion[] | null>;
  /** Called with the city, and with its country and, if it has namesakes, its region if a suggestion was chosen. */
  onCity: (city: string, country: string | null, region?: string) => void;
}

const typingPauseMs = 200;
const leastLetters = 2;
const restMs = 1000;

interface Found {
  typed: string;
  places: readonly Suggestion[];
}

/** The suggestions for the typed text. The previous ones are kept until new ones arrive, or if none can be loaded. */
function useSuggestions(typed: string, suggest: CityFieldProps['suggest']): Found {
  const [found, setFound] = useState<Found>({ typed: '', places: [] });
  const ask = useEffectEvent((signal: AbortSignal) => {
    void suggest(typed, signal).then((places) => {
      if (!signal.aborted && places !== null)
        setFound({ typed, places: places.map((place) => ({ ...place, city: cityIn(place) })) });
    });
  });
  useEffect(() => {
    if (typed.length < leastLetters) return;
    const giveUp = new AbortController();
    const timer = setTimeout(() => ask(giveUp.signal), typingPauseMs);
    return () => {
      clearTimeout(timer);
      giveUp.abort();
    };
  }, [typed]);
  return found;
}

/** Whether a country, which arrives in English, is named by a text in English or the reader's language. */
const isCountry = (country: string, text: string) =>
  [country, countryIn(country)].some((name) => folded(name) === folded(text.trim()));

/**
 * Whether none of the suggestions is the typed city in that country. A suggestion that starts differently was found by
 * a local name, so it may be the typed city.
 */
function isNoneOf(places: readonly Suggestion[], typed: string, country: string): boolean {
  const named = places.filter(({ city }) => folded(city) === folded(typed));
  if (named.length > 0) return country.trim() !== '' && !named.some((one) => isCountry(one.country, country));
  return places.every(({ city }) => folded(city).startsWith(folded(typed)));
}

/**
 * Whether the typed city is unknown. This is decided at once if no known city starts with the text, otherwise after
 * typing has paused.
 */
function useIsUnknown({ typed, places }: Found, value: string, country: string): boolean {
  const [rested, setRested] = useState('');
  const text = `${value}\n${country}`;
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), restMs);
    return () => clearTimeout(timer);
  }, [text]);
  if (typed === '' || typed !== value || !isNoneOf(places, value, country)) return false;
  return places.length === 0 || rested === text;
}

const asText = ({ city, region, country }: Suggestion) =>
  listed([city, ...(region === undefined ? [] : [region]), countryIn(country)], 'commas');

/** A city as it is sent to name the one in that region. */
export const cityOfRegion = (city: string, region: string | undefined) =>
  region === undefined ? city : `${city}, ${region}`;

/** Selects the filled-in country when the person moves to its field, so that typing replaces it. */
function selectNext(country: string) {
  setTimeout(() => {
    const next = document.activeElement;
    if (next instanceof HTMLInputElement && next.value === country) next.select();
  });
}

/** A text field for a city, with suggestions in a native list. */
export function CityField({ value, suggest, onCity, unknown, ...field }: CityFieldProps) {
  const listId = useId();
  const [chosen, setChosen] = useState<string | null>(null);
  // A chosen city is known.
  const found = useSuggestions(value === chosen ? '' : value.trim(), suggest);
  const isUnknown = useIsUnknown(found, value.trim(), unknown?.country ?? '');
  const { places } = found;
  const isTyped = useRef(false);

  function change(text: string) {
    const taken = places.find((place) => asText(place) === text);
    isTyped.current = taken === undefined;
    setChosen(taken === undefined ? null : cityOfRegion(taken.city, taken.region));
    onCity(taken?.city ?? text, taken ? countryIn(taken.country) : null, taken?.region);
  }

  /** If only one known city has the typed name in any language, it is used as if it had been chosen. */
  function leave() {
    const typed = value.trim();
    const isNamed = ({ city, isExact }: Suggestion) =>
      folded(city) === folded(typed) || (isExact === true && found.typed === typed);
    const named = places.filter(isNamed);
    if (isTyped.current && named.length === 1 && named[0]) {
      onCity(named[0].city, countryIn(named[0].country), named[0].region);
      selectNext(countryIn(named[0].country));
    }
    isTyped.current = false;
  }

  return (
    <>
      <TextField
        {...field}
        remark={unknown && (isUnknown ? unknown.text : '')}
        onBlur={leave}
        value={value}
        list={listId}
        autoComplete="off"
        onChange={(event) => change(event.currentTarget.value)}
      />
      <datalist id={listId}>
        {places.map((place) => (
          <option key={asText(place)} value={asText(place)} />
        ))}
      </datalist>
    </>
  );
}
