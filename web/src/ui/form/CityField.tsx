import { type ComponentProps, useEffect, useId, useRef, useState } from 'react';
import { TextField } from './Field.tsx';
import { useStable } from '../loading/use-stable.ts';

type Suggestion = Record<'city' | 'country', string>;

interface CityFieldProps extends Omit<ComponentProps<typeof TextField>, 'onChange' | 'list' | 'value'> {
  value: string;
  /** Known cities that start with the typed text; null when they cannot be loaded. */
  suggest: (typed: string, signal: AbortSignal) => Promise<readonly Suggestion[] | null>;
  /** The country is known once a suggestion is chosen. */
  onCity: (city: string, country: string | null) => void;
}

const typingPauseMs = 200;
const leastLetters = 2;

/** The suggestions for the typed text; the previous ones until new ones arrive, or if none can be loaded. */
function useSuggestions(typed: string, suggest: CityFieldProps['suggest']): readonly Suggestion[] {
  const [places, setPlaces] = useState<readonly Suggestion[]>([]);
  const ask = useStable((signal: AbortSignal) => {
    void suggest(typed, signal).then((found) => {
      if (!signal.aborted && found !== null) setPlaces(found);
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
  }, [typed, ask]);
  return places;
}

const asText = ({ city, country }: Suggestion) => `${city}, ${country}`;

/** Selects the country that was filled in as the person came to its field: what they type replaces it. */
function selectNext(country: string) {
  setTimeout(() => {
    const next = document.activeElement;
    if (next instanceof HTMLInputElement && next.value === country) next.select();
  });
}

/** A city as text, with suggestions of known cities from the browser's own list. */
export function CityField({ value, suggest, onCity, ...field }: CityFieldProps) {
  const listId = useId();
  const places = useSuggestions(value.trim(), suggest);
  const isTyped = useRef(false);

  function change(text: string) {
    const taken = places.find((place) => asText(place) === text);
    isTyped.current = taken === undefined;
    onCity(taken?.city ?? text, taken?.country ?? null);
  }

  /** The only known city of the typed name is as good as chosen. */
  function leave() {
    const typed = value.trim().toLowerCase();
    const named = places.filter(({ city }) => city.toLowerCase() === typed);
    if (isTyped.current && named.length === 1 && named[0]) {
      onCity(named[0].city, named[0].country);
      selectNext(named[0].country);
    }
    isTyped.current = false;
  }

  return (
    <>
      <TextField
        {...field}
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
