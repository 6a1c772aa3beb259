import { queryOptions, useMutation } from '@tanstack/react-query';
import { type AgeAnswer, getAgeCheck, startAgeCheck, takeAgeAnswer } from '#contract/age-check.ts';
import { call } from '../../../api/call.ts';
import { keys } from '../../../api/keys.ts';
import { queryClient } from '../../../api/query-client.ts';

/** What is known about the member's age. */
export const ageCheckQuery = queryOptions({
  queryKey: [...keys.account, 'age-check'] as const,
  queryFn: async ({ signal }) => (await call(getAgeCheck, { signal })).data,
});

/** Begins a check; answers where it takes place. */
export const useStartAgeCheck = () => useMutation({ mutationFn: async () => (await call(startAgeCheck)).data.url });

/** Hands the provider's answer to the server. */
export const useAgeAnswer = () =>
  useMutation({
    mutationFn: (answer: AgeAnswer) => call(takeAgeAnswer, { body: answer }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ageCheckQuery.queryKey }),
  });
