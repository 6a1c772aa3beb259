import { t } from '@lingui/core/macro';
import { Stack } from '@mantine/core';
import { Link, useSearchParams } from 'react-router';
import { BookmarkList } from '../../features/connections/Bookmarks.tsx';
import { Directory, type DirectoryFilters as Filters } from '../../features/profiles/directory/Directory.tsx';
import { DirectoryFilters } from '../../features/profiles/directory/DirectoryFilters.tsx';
import { Disclosure } from '../../ui/data/Disclosure.tsx';
import type { Refusal } from '../../ui/data/InfiniteList.tsx';
import { MembersOnly, NarrowPage } from '../layout/NarrowPage.tsx';
import classes from '../members.module.css';
import { NotYet } from '../sign-in/NotYet.tsx';

const notYet = (error: Refusal) => <NotYet error={error} />;

/** Everyone who may be shown, by filters in the address; or bookmarked people with `?tab=bookmarks`. */
export function PeoplePage() {
  const [params, setParams] = useSearchParams();
  const isBookmarks = params.get('tab') === 'bookmarks';
  const filters = Object.fromEntries([...params].filter(([name]) => name !== 'tab')) as Filters;
  return (
    <MembersOnly title={t`People`}>
      <NarrowPage title={t`People`}>
        <nav className={classes.tabs} aria-label={t`People`}>
          <Link to="/app/people" className={classes.tab} aria-current={isBookmarks ? undefined : 'page'}>
            {t`Everyone`}
          </Link>
          <Link to="/app/people?tab=bookmarks" className={classes.tab} aria-current={isBookmarks ? 'page' : undefined}>
            {t`Bookmarks`}
          </Link>
        </nav>
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
