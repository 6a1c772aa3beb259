import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { heightMaxCm, heightMinCm, noDetails } from '#contract/profiles/profile-details.ts';
import { goalWords, habitPhrases, habits, languageName } from '../../../ui/text/detail-words.ts';
import { formatNumber } from '../../../ui/text/format.ts';
import { interestName } from '../../../ui/text/interest-words.ts';
import type { Chip } from '../../../ui/form/ChipPicker.tsx';
import { listOf } from '../../../ui/form/BasicPreferenceFields.tsx';
import type { ListPreference, PreferenceForm } from './preference-form.ts';

interface ListFilter {
  preference: ListPreference;
  title: MessageDescriptor;
  /** The labels of the form's values, for filters with few values. */
  words: Record<string, MessageDescriptor> | null;
  /** The label of a value that is clear without the title. */
  nameOf: (value: string) => string;
}

/** The preferences that are chosen from a list, in the order of the sheet. */
export const listFilters: readonly ListFilter[] = [
  { preference: 'interests', title: msg`Interests`, words: null, nameOf: interestName },
  {
    preference: 'goal',
    title: msg`What they are here for`,
    words: goalWords,
    nameOf: (goal) => t(goalWords[goal as keyof typeof goalWords]),
  },
  ...habits.map(({ name, title, words }): ListFilter => {
    const nameOf = (value: string) => habitPhrases({ ...noDetails, [name]: value })[name] ?? value;
    return { preference: name, title, words, nameOf };
  }),
  { preference: 'languages', title: msg`Languages`, words: null, nameOf: languageName },
];

/** The chosen heights as text; null for any. */
export function heightWords({ heightMin, heightMax }: PreferenceForm): string | null {
  if (heightMin === '' && heightMax === '') return null;
  const inWords = (cm: string, limit: number) => formatNumber(Number(cm || limit));
  return t`${{ min: inWords(heightMin, heightMinCm) }} to ${{ max: inWords(heightMax, heightMaxCm) }} cm`;
}

/** The choices in the folded filters, each with a function that removes it. */
export function chosenFilters(
  values: PreferenceForm,
  set: <K extends keyof PreferenceForm>(name: K, value: PreferenceForm[K]) => void,
): (Chip & { remove: () => void })[] {
  const lists = listFilters.flatMap(({ preference, nameOf }) => {
    const chosen = listOf(values[preference]);
    return chosen.map((value) => ({
      value: `${preference} ${value}`,
      label: nameOf(value),
      remove: () => set(preference, chosen.filter((other) => other !== value).join(',')),
    }));
  });
  const height = heightWords(values);
  return [
    ...(values.photoVerifiedOnly
      ? [
          {
            value: 'photoVerifiedOnly',
            label: t`Photo verified only`,
            remove: () => set('photoVerifiedOnly', false),
          },
        ]
      : []),
    ...lists,
    ...(height === null
      ? []
      : [
          {
            value: 'height',
            label: height,
            remove: () => {
              set('heightMin', '');
              set('heightMax', '');
            },
          },
        ]),
  ];
}
