import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useCallback } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import type { ListedUser } from '#contract/user.ts';
import { formatNumber } from '../../ui/format.ts';
import { Notice } from '../../ui/Notice.tsx';
import { Bone, EmptyState, ErrorState, LoadingState, QueryStates } from '../../ui/PageStates.tsx';
import { useLocale, useText } from '../../ui/text.tsx';
import { useNow } from '../../ui/use-now.ts';
import { useExport } from './use-export.ts';
import { useListAddress, useTypingInAddress } from './use-list-address.ts';
import { useStatusChange } from './use-status-change.tsx';
import { useUserList } from './use-user-list.ts';
import { asQuery, isFiltered, noFilters } from './user-filters.ts';
import { UserCards } from './UserCards.tsx';
import { UserDialog } from './UserDialog.tsx';
import { UserFilterBar } from './UserFilterBar.tsx';
import classes from './UsersBrowser.module.css';
import { UsersTable } from './UsersTable.tsx';
import { usersLimit } from './users-query.ts';

const narrow = '(max-width: 40rem)';

/** The user whose details are open, kept in the address so that reload, Back and a copied link work. */
function useOpenUser() {
  const [params, setParams] = useSearchParams();
  const { state } = useLocation() as { state: { isOpenedHere?: boolean } | null };
  const navigate = useNavigate();
  const id = params.get('user');

  function change(edit: (next: URLSearchParams) => void, replace: boolean, isOpenedHere: boolean) {
    const next = new URLSearchParams(params);
    edit(next);
    setParams(next, { replace, state: { isOwn: true, isOpenedHere } });
  }

  return {
    id,
    isEditing: params.get('edit') === 'true',
    open: (userId: string) => change((next) => next.set('user', userId), false, true),
    edit: (isEditing: boolean) =>
      change((next) => (isEditing ? next.set('edit', 'true') : next.delete('edit')), true, state?.isOpenedHere === true),
    close: () => {
      if (state?.isOpenedHere === true) void navigate(-1);
      else
        change(
          (next) => {
            next.delete('user');
            next.delete('edit');
          },
          true,
          false,
        );
    },
  };
}
