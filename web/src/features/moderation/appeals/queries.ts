import type { BodyInput } from '#contract/endpoint.ts';
import { type AppealFile, decideAppeal, getAppeal, reviewAppeal } from '#contract/moderation/appeals.ts';
import { endpointQuery, useCommand } from '../../../api/endpoint-query.ts';
import { queryClient } from '../../../api/query-client.ts';
import { dropDraft } from '../../../ui/form/drafts.ts';
import { reloadCase } from '../cases/queries.ts';

const fileKey = (id: string) => endpointQuery(getAppeal, { params: { id } }).queryKey;

// Opening an appeal is recorded, so the answer to a command replaces it.
function putAppeal(file: AppealFile): void {
  queryClient.setQueryData(fileKey(file.appeal._id), file);
  reloadCase(file.appeal.caseId);
}

/** Starts the review of an appeal. */
export const useReview = (id: string) =>
  useCommand(reviewAppeal, () => ({ params: { id } }), {
    onSuccess: putAppeal,
    onError: () => void queryClient.invalidateQueries({ queryKey: fileKey(id) }),
  });

/** The name of the draft of a review. */
export const reviewDraftOf = (id: string) => `appeal:${id}`;

/** Decides an appeal, and drops the draft of the review. */
export const useDecideAppeal = (id: string) =>
  useCommand(decideAppeal, (body: BodyInput<typeof decideAppeal>) => ({ params: { id }, body }), {
    onSuccess: (file) => {
      putAppeal(file);
      dropDraft(reviewDraftOf(id));
    },
  });
