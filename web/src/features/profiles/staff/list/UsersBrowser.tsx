import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useEffect } from 'react';
import { useLocation } from 'react-router';
import type { AdminUser, ListedUser } from '#contract/profiles/user.ts';
import { formatNumber, prepareFormats } from '../../../../ui/text/format.ts';
import { Freshness } from '../../../../ui/feedback/Freshness.tsx';
import { Notice } from '../../../../ui/feedback/Notice.tsx';
import { Bone, EmptyState, QueryStates } from '../../../../ui/feedback/PageStates.tsx';
import { useLocale, useText } from '../../../../ui/text/text.ts';
import { useNow } from '../../../../ui/data/use-now.ts';
import { useStable } from '../../../../ui/loading/use-stable.ts';
import { useExport } from '../user/use-export.ts';
import { useListAddress, useTypingInAddress } from './use-list-address.ts';
import { useOpenUser } from './use-open-user.ts';
import { useStatusChange } from '../user/use-status-change.tsx';
import { useUserList } from './use-user-list.ts';
import { asQuery, isFiltered, type UserFilters } from './user-filters.ts';
import { UserCards } from './UserCards.tsx';
import { UserDialog } from '../user/UserDialog.tsx';
import { UserFilterBar } from './UserFilterBar.tsx';
import classes from './UsersBrowser.module.css';
import { UsersTable } from './UsersTable.tsx';
import { usersLimit } from './users-query.ts';

const narrow = '(max-width: 40rem)';

function Skeleton() {
  return (
    <div className={classes.skeleton}>
      <Bone height="2.75rem" />
      {Array.from({ length: 8 }, (_, index) => (
        <Bone key={index} height="3.6rem" />
      ))}
    </div>
  );
}

/** That more users are on their way, or why not. */
function Foot({ list }: { list: ReturnType<typeof useUserList> }) {
  const t = useText();
  if (list.moreError !== null) {
    return (
      <div className={classes.foot}>
        <Notice
          kind="error"
          action={
            <Button variant="default" size="xs" onClick={list.loadMore}>
              {t('Retry')}
            </Button>
          }
        >
          {t('Error loading users: {error}', { error: t(list.moreError.message) })}
        </Notice>
      </div>
    );
  }
  return (
    <p className={classes.more} role="status">
      {list.isLoadingMore && t('Loading more users...')}
    </p>
  );
}

interface UsersBrowserProps {
  isModerator: boolean;
  /** What the page adds to a user's details: the pictures. */
  pictures: (user: AdminUser) => ReactNode;
  /** And what they pay, for who may see it. */
  subscription?: ((user: AdminUser) => ReactNode) | undefined;
}

/** Filters, the users that fit, their details and what can be done with them. */
export function UsersBrowser({ isModerator, pictures, subscription }: UsersBrowserProps) {
  const t = useText();
  const locale = useLocale();
  const now = useNow(60_000);
  const isNarrow = useMediaQuery(narrow, undefined, { getInitialValueInEffect: false });
  const { key: place } = useLocation();
  const address = useListAddress();
  const { filters, applied, order } = address;
  const list = useUserList({ filters, applied, order, limit: usersLimit(isModerator) });
  useTypingInAddress(list.isComplete, address);
  const opened = useOpenUser();
  const status = useStatusChange();
  const exporting = useExport();

  const onView = useStable((user: ListedUser) => opened.open(user._id));
  const onActivate = useStable((user: ListedUser) => status.ask(user, true));
  const onDeactivate = useStable((user: ListedUser) => status.ask(user, false));

  useEffect(() => {
    const timer = setTimeout(() => prepareFormats(locale));
    return () => clearTimeout(timer);
  }, [locale]);

  const listKey = JSON.stringify(asQuery(list.isComplete ? filters : applied, order));
  const isUnasked = !list.isComplete && JSON.stringify(asQuery(filters, order)) !== listKey;
  const hasFilters = isFiltered(filters) || isFiltered(applied);

  function choose(chosen: Partial<UserFilters>) {
    address.setFilters({ ...filters, ...chosen });
    if (list.isComplete) address.write({ ...filters, ...chosen });
  }

  function clearSearch() {
    address.setFilters({ ...filters, search: '' });
    address.write({ search: '' });
  }

  function search() {
    address.write(filters);
    list.ask(filters);
  }

  const shared = {
    users: list.users,
    rowCount: list.shown,
    now,
    place,
    hasMore: list.hasMore,
    onNearEnd: list.loadMore,
    isBusy: list.isCatchingUp,
    foot: <Foot list={list} />,
    onView,
    onActivate,
    onDeactivate,
  };

  return (
    <>
      <UserFilterBar
        filters={filters}
        isUnasked={isUnasked}
        onType={(text) => address.setFilters({ ...filters, search: text })}
        onChoose={choose}
        onClearSearch={clearSearch}
        onSearch={search}
        exporting={
          isModerator
            ? undefined
            : {
                isBusy: exporting.isPending,
                onExport: () => void exporting.download(list.isComplete ? filters : applied, order),
              }
        }
      />
      {exporting.error !== null && (
        <div className={classes.notice}>
          <Notice kind="error">{t('Export failed: {error}', { error: t(exporting.error) })}</Notice>
        </div>
      )}
      <QueryStates
        query={list.source}
        loadingText={t('Loading users data...')}
        skeleton={<Skeleton />}
        errorText={(error) => t('Error loading users: {error}', { error })}
      >
        {() => (
          <>
            <div className={classes.caption}>
              <p role="status" className={classes.count}>
                {t('Showing {shown} of {total} users', {
                  shown: `${formatNumber(list.shown, locale)}${list.isShownExact ? '' : '+'}`,
                  total: formatNumber(list.total, locale),
                })}
              </p>
              {isUnasked && <p className={classes.hint}>{t('Press Enter or Search to apply the filters')}</p>}
              {hasFilters && list.users.length > 0 && (
                <Button className={classes.clear} variant="subtle" size="compact-sm" onClick={address.clear}>
                  {t('Clear filters')}
                </Button>
              )}
              <div className={classes.end}>
                <Freshness query={list.source} />
              </div>
            </div>
            {list.users.length === 0 ? (
              <EmptyState
                text={t('No users found matching your criteria')}
                hint={t('Everybody who joins appears here.')}
                onClearFilters={hasFilters ? address.clear : undefined}
                isFramed
              />
            ) : isNarrow ? (
              <UserCards {...shared} />
            ) : (
              <UsersTable {...shared} order={order} onSort={address.sortBy} listKey={listKey} />
            )}
          </>
        )}
      </QueryStates>
      {opened.id !== null && (
        <UserDialog
          key={opened.id}
          id={opened.id}
          listed={list.users.find(({ _id }) => _id === opened.id)}
          isEditing={opened.isEditing}
          pictures={pictures}
          subscription={subscription}
          onEdit={opened.edit}
          onClose={opened.close}
        />
      )}
      {status.parts}
    </>
  );
}
