import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { getHiddenWords, hiddenWordFinder } from '#contract/profiles/hidden-words.ts';
import { call } from './call.ts';
import { keys } from './keys.ts';
import { keep, readKept } from './session/kept.ts';

const keptName = 'hidden-words';
const keptWords = () => readKept(keptName)?.split('\n');

/** The member's hidden words. The device keeps them, so that they cover texts before the server answers and without a network. */
export const hiddenWordsQuery = queryOptions({
  queryKey: keys.hiddenWords,
  queryFn: async ({ signal }) => {
    const { words } = (await call(getHiddenWords, { signal })).data;
    keep(keptName, words.join('\n'));
    return words;
  },
  initialData: keptWords,
  initialDataUpdatedAt: 0,
});

/** A function that tells whether a text contains one of the member's hidden words. */
export function useHiddenWordFinder(): (text: string) => boolean {
  const { data } = useQuery(hiddenWordsQuery);
  return useMemo(() => hiddenWordFinder(data ?? []), [data]);
}
