import { useMutation, useQuery } from '@tanstack/react-query';
import { type CompatibilityAnswer, deleteAnswer, getAnswers, putAnswer } from '#contract/compatibility.ts';
import type { BodyInput } from '#contract/endpoint.ts';
import { call } from '../../api/call.ts';
import { keys } from '../../api/keys.ts';
import { queryClient } from '../../api/query-client.ts';

/** The member's own answers. */
export function useAnswers() {
  return useQuery({
    queryKey: keys.answers,
    queryFn: async ({ signal }) => (await call(getAnswers, { signal })).data.answers,
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
}

const setAnswers = (answers: CompatibilityAnswer[]) => void queryClient.setQueryData(keys.answers, answers);

/** Saves one answer and returns all of them. */
export function useSaveAnswer() {
  return useMutation({
    mutationFn: async ({ questionId, body }: { questionId: string; body: BodyInput<typeof putAnswer> }) =>
      (await call(putAnswer, { params: { questionId }, body })).data.answers,
    onSuccess: setAnswers,
  });
}

/** Deletes one answer. */
export function useDeleteAnswer() {
  return useMutation({
    mutationFn: async ({ questionId }: CompatibilityAnswer) =>
      (await call(deleteAnswer, { params: { questionId } })).data.answers,
    onSuccess: setAnswers,
  });
}
