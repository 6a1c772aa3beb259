import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { BodyInput } from '#contract/endpoint.ts';
import { addTag, listTags, mergeTag, renameTag, retireTag, tagUser } from '#contract/moderation/tags.ts';
import { addNote, changeNote, getUserFile } from '#contract/moderation/user-file.ts';
import type { FileKind } from '#contract/roles.ts';
import { call } from '../../../api/call.ts';
import { staffKeys } from '../../../api/staff-keys.ts';

const entriesPerAnswer = 30;

/** A person's history, newest first, continued by cursor. Reading it is on record, so it is not repeated without need. */
export function fileQuery(userId: string, kinds: readonly FileKind[]) {
  return infiniteQueryOptions({
    queryKey: staffKeys.userFile(userId, kinds),
    queryFn: async ({ pageParam: cursor, signal }) => {
      const query = { kind: [...kinds], cursor, limit: entriesPerAnswer };
      return (await call(getUserFile, { params: { id: userId }, query, signal })).data;
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  });
}

/** The list of tags. */
export const tagsQuery = queryOptions({
  queryKey: staffKeys.tags,
  queryFn: async ({ signal }) => (await call(listTags, { signal })).data.tags,
});

function useFileCommand<T>(userId: string, send: (given: T) => Promise<unknown>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSettled: () => void client.invalidateQueries({ queryKey: staffKeys.filesOf(userId) }),
  });
}

/** Writes a note about a person, or changes the one with `noteId`. */
export function useWriteNote(userId: string, noteId: string | null) {
  return useFileCommand(userId, (body: BodyInput<typeof addNote>) =>
    noteId === null
      ? call(addNote, { params: { id: userId }, body })
      : call(changeNote, { params: { id: noteId }, body }),
  );
}

/** Gives and takes tags of a person. */
export function useTagUser(userId: string) {
  return useFileCommand(userId, (body: BodyInput<typeof tagUser>) => call(tagUser, { params: { id: userId }, body }));
}

/** Changes the list of tags, and with it the files that show them. */
export function useTagCommand<T>(send: (given: T) => Promise<unknown>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSettled: () => {
      for (const queryKey of [staffKeys.tags, staffKeys.allFiles]) void client.invalidateQueries({ queryKey });
    },
  });
}

/** Adds a tag, or renames the one with `id`. */
export const saveTag = (id: string | null, body: BodyInput<typeof addTag>) =>
  id === null ? call(addTag, { body }) : call(renameTag, { params: { id }, body });

/** Takes a tag out of use, replaced by `into` if there is one. */
export const endTag = (id: string, into: string | null) =>
  into === null ? call(retireTag, { params: { id } }) : call(mergeTag, { params: { id }, body: { into } });
