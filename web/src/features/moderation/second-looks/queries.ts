import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { BodyInput } from '#contract/endpoint.ts';
import {
  addGoldenCase,
  getSecondLookFigures,
  judgeSecondLook,
  listGoldenCases,
  retireGoldenCase,
  skipSecondLook,
  takeSecondLook,
} from '#contract/moderation/second-looks.ts';
import { call } from '../../../api/call.ts';
import { staffKeys } from '../../../api/staff-keys.ts';

/** The training cases, for those who lead the team. */
export const goldenCasesQuery = queryOptions({
  queryKey: staffKeys.goldenCases,
  queryFn: async ({ signal }) => (await call(listGoldenCases, { signal })).data.cases,
});

/** How often second looks agreed, for those who lead the team. */
export const secondLookFiguresQuery = queryOptions({
  queryKey: staffKeys.secondLookFigures,
  queryFn: async ({ signal }) => (await call(getSecondLookFigures, { signal })).data,
});

/** Takes the next decision. It is a command, because taking it keeps others from it. */
export const useTakeLook = () => useMutation({ mutationFn: async () => (await call(takeSecondLook)).data });

/** Judges the decision that was taken, and reads the figures again. */
export function useJudge(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: BodyInput<typeof judgeSecondLook>) =>
      (await call(judgeSecondLook, { params: { id }, body })).data,
    onSuccess: () => client.invalidateQueries({ queryKey: staffKeys.secondLookFigures }),
  });
}

/** Gives the decision back. */
export const useSkip = (id: string) => useMutation({ mutationFn: () => call(skipSecondLook, { params: { id } }) });

/** Adds or removes a training case, and reads the list again. */
export function useGoldenCommand<T>(send: (given: T) => Promise<unknown>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSettled: () => client.invalidateQueries({ queryKey: staffKeys.goldenCases }),
  });
}

/** Keeps a decided case for training. */
export const useAddGolden = () =>
  useGoldenCommand((body: BodyInput<typeof addGoldenCase>) => call(addGoldenCase, { body }));

/** Removes a training case. */
export const useRetireGolden = () => useGoldenCommand((id: string) => call(retireGoldenCase, { params: { id } }));
