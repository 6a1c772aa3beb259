import { useMutation } from '@tanstack/react-query';
import type { BodyInput, EndpointSpec } from '#contract/endpoint.ts';
import type { SavedView } from '#contract/moderation/saved-views.ts';
import { call } from './call.ts';
import { refreshAfter } from './endpoint-query.ts';

/** Saves a new list of a screen, or changes a saved one; returns its id. */
export const useSaveView = <S extends EndpointSpec>(save: S, change: EndpointSpec) =>
  useMutation({
    mutationFn: async ({ body, of }: { body: BodyInput<S>; of: SavedView | null }) => {
      const { _id: id, version } = of ?? {};
      const options = id === undefined ? { body } : { params: { id }, body: { ...(body as object), version } };
      const answer = await call(id === undefined ? (save as EndpointSpec) : change, options as object);
      return (answer as { data: { view: SavedView } }).data.view._id;
    },
    onSettled: () => void refreshAfter(save),
  });
