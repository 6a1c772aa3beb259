import { type ComponentProps, useEffect, useId, useState } from 'react';
import { searchPlaces } from '#contract/profiles.ts';
import { call } from '../../../api/call.ts';
import { TextField } from '../../../ui/TextField.tsx';

interface CityFieldProps extends Omit<ComponentProps<typeof TextField>, 'onChange' | 'list' | 'value'> {
  value: string;
  /** The country is known once a suggestion is taken. */
  onCity: (city: string, country: string | null) => void;
}

type Suggestion = Record<'city' | 'country', string>;

const typingPauseMs = 200;
const leastLetters = 2;

/** Known cities that begin as was typed; those of before until there are new ones, and where none can be had. */
function useSuggestions(typed: string): Suggestion[] {
  const [places, setPlaces] = useState<Suggestion[]>([]);
  useEffect(() => {
    if (typed.length < leastLetters) return;
    const giveUp = new AbortController();
    const timer = setTimeout(() => {
      call(searchPlaces, { query: { search: typed }, signal: giveUp.signal }).then(
        ({ data }) => setPlaces(data.places),
        () => undefined,
      );
    }, typingPauseMs);
    return () => {
      clearTimeout(timer);
      giveUp.abort();
    };
  }, [typed]);
  return places;
}

const asText = ({ city, country }: Suggestion) => `${city}, ${country}`;

/** A city in words, with the known ones that begin so to choose from, by the browser's own list. */
export function CityField({ value, onCity, ...field }: CityFieldProps) {
  const listId = useId();
  const places = useSuggestions(value.trim());

  function change(text: string) {
    const taken = places.find((place) => asText(place) === text);
    onCity(taken?.city ?? text, taken?.country ?? null);
  }

  return (
    <>
      <TextField
        {...field}
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
