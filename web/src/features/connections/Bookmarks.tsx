import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { IconBookmark, IconBookmarkFilled } from '@tabler/icons-react';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { addBookmark, listBookmarks, removeBookmark } from '#contract/bookmarks.ts';
import { endpointPages } from '../../api/endpoint-query.ts';
import { call } from '../../api/call.ts';
import { keys } from '../../api/keys.ts';
import { live, queryClient } from '../../api/query-client.ts';
import { type ListProps, ListStates } from '../../ui/data/InfiniteList.tsx';
import { ErrorNotice } from '../../ui/feedback/Notice.tsx';
import { EmptyPlace } from '../../ui/feedback/EmptyPlace.tsx';
import { memberName } from '../../ui/text/person.ts';
import { PersonList, PersonRow } from './PersonList.tsx';

interface BookmarkButtonProps {
  user: { _id: string; firstName: string | null; name: string | null };
  isBookmarked: boolean;
}

/** Bookmarks a person or removes the bookmark, shown at once. */
export function BookmarkButton({ user, isBookmarked }: BookmarkButtonProps) {
  const save = useMutation({
    mutationFn: (next: boolean) =>
      call(next ? addBookmark : removeBookmark, { params: { userId: user._id }, keepalive: true }),
    onSuccess: ({ data }) => {
      queryClient.setQueryData(keys.member(user._id), (member: object | undefined) => member && { ...member, ...data });
      void queryClient.invalidateQueries({ queryKey: [listBookmarks.path] });
    },
  });
  const isOn = save.isPending ? save.variables : isBookmarked;
  return (
    <>
      <Button
        variant="default"
        aria-pressed={isOn}
        aria-label={t`Bookmark ${{ name: memberName(user) }}`}
        leftSection={
          isOn ? (
            <IconBookmarkFilled size={17} aria-hidden="true" />
          ) : (
            <IconBookmark size={17} stroke={1.75} aria-hidden="true" />
          )
        }
        onClick={() => !save.isPending && save.mutate(!isBookmarked)}
      >
        {isOn ? t`Bookmarked` : t`Bookmark`}
      </Button>
      <ErrorNotice error={save.error} text={(error) => t`Couldn't save this: ${error}`} />
    </>
  );
}

/** The people that the member bookmarked and can still see, newest first. */
export function BookmarkList({ notYet }: ListProps) {
  const query = useInfiniteQuery({
    ...live,
    ...endpointPages(listBookmarks, { query: { limit: 20 } }),
    select: ({ pages }) => pages.flatMap(({ bookmarks }) => bookmarks),
  });
  return (
    <ListStates
      notYet={notYet}
      query={query}
      loadingText={t`Loading your bookmarks...`}
      skeleton="18rem"
      errorText={(error) => t`Couldn't load your bookmarks: ${error}`}
    >
      {(bookmarks) =>
        bookmarks.length === 0 ? (
          <EmptyPlace
            text={t`You have no bookmarks yet.`}
            hint={t`Bookmark people on their profile to find them again. They aren't notified.`}
          />
        ) : (
          <PersonList label={t`Your bookmarks`} query={query}>
            {bookmarks.map(({ user, bookmarkedAt }) => (
              <PersonRow
                key={user._id}
                user={user}
                from="bookmarks"
                at={bookmarkedAt}
                atText={(when) => t`Bookmarked ${when}`}
                actions={<BookmarkButton user={user} isBookmarked />}
              />
            ))}
          </PersonList>
        )
      }
    </ListStates>
  );
}
