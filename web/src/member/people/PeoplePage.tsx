import { t } from '@lingui/core/macro';
import { Stack } from '@mantine/core';
import { Navigate, useSearchParams } from 'react-router';
import { usePart } from '../../brand.ts';
import { BookmarkList } from '../../features/connections/Bookmarks.tsx';
import { Directory, type DirectoryFilters as Filters } from '../../features/profiles/directory/Directory.tsx';
import { DirectoryFilters } from '../../features/profiles/directory/DirectoryFilters.tsx';
import { Disclosure } from '../../ui/data/Disclosure.tsx';
import type { Refusal } from '../../ui/data/InfiniteList.tsx';
import { Tabs } from '../../ui/layout/Tabs.tsx';
import { MembersOnly, NarrowPage } from '../layout/NarrowPage.tsx';
import { NotYet } from '../sign-in/NotYet.tsx';

const notYet = (error: Refusal) => <NotYet error={error} />;

/**
 * Everyone who may be shown, by filters in the address; or bookmarked people with `?tab=bookmarks`, which is the only list while the owner
 * has People switched off.
 */
export function PeoplePage() {
  const [params, setParams] = useSearchParams();
  const isBookmarks = params.get('tab') === 'bookmarks';
  const isOffered = usePart('people');
  const filters = Object.fromEntries([...params].filter(([name]) => name !== 'tab')) as Filters;
  if (!isOffered && !isBookmarks) return <Navigate to="/app/people?tab=bookmarks" replace />;
  const title = isOffered ? t`People` : t`Bookmarks`;
  return (
    <MembersOnly title={title}>
      <NarrowPage title={title}>
        {isOffered && (
          <Tabs
            label={t`People`}
            tabs={[
              { to: '/app/people', text: t`Everyone`, isCurrent: !isBookmarks },
              { to: '/app/people?tab=bookmarks', text: t`Bookmarks`, isCurrent: isBookmarks },
            ]}
          />
        )}
        {isBookmarks ? (
          <BookmarkList notYet={notYet} />
        ) : (
          <Stack gap="1.25rem">
            <Disclosure title={t`Filters`}>
              <DirectoryFilters initial={filters} onSearch={(next) => setParams(next as Record<string, string>)} />
            </Disclosure>
            <Directory filters={filters} notYet={notYet} />
          </Stack>
        )}
      </NarrowPage>
    </MembersOnly>
  );
}
