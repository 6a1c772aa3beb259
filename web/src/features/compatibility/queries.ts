import { deleteAnswer, getAnswers, putAnswer, type CompatibilityAnswer } from '#contract/compatibility.ts';
import type { BodyInput } from '#contract/endpoint.ts';
import { endpointQuery, useCommand } from '../../api/endpoint-query.ts';
import { queryClient } from '../../api/query-client.ts';

const keep = {
  onSuccess: (data: { answers: CompatibilityAnswer[] }) =>
    queryClient.setQueryData(endpointQuery(getAnswers).queryKey, data),
};

/** Saves one answer. */
export const useSaveAnswer = () =>
  useCommand(
    putAnswer,
    ({ questionId, body }: { questionId: string; body: BodyInput<typeof putAnswer> }) => ({
      params: { questionId },
      body,
    }),
    keep,
  );

/** Deletes one answer. */
export const useDeleteAnswer = () =>
  useCommand(deleteAnswer, ({ questionId }: CompatibilityAnswer) => ({ params: { questionId } }), keep);
