import { t } from '@lingui/core/macro';
import { Box, Button, Stack, Title } from '@mantine/core';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { Link } from 'react-router';
import type { AdminUser, ListedUser } from '#contract/profiles/user.ts';
import { useNow } from '../../../ui/data/Time.tsx';
import { Dialog } from '../../../ui/feedback/Dialog.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { QueryStates, Skeleton } from '../../../ui/feedback/PageStates.tsx';
import { lazyPart } from '../../../ui/loading/LazyBoundary.tsx';
import { personName } from '../../../ui/text/person.ts';
import { UserFacts, UserHead } from './UserDetails.tsx';
import { UserEditActions } from './UserEditActions.tsx';
import { useUser, useChangeUser } from './queries.ts';
import classes from './users.module.css';

/** In its own chunk, because most people who open a user's details only read them. */
const [UserEditForm, preloadForm] = lazyPart(
  async () => (await import('./UserEditForm.tsx')).UserEditForm,
  <LoadingSkeleton />,
);

function LoadingSkeleton() {
  return (
    <Stack gap="1.25rem">
      <Skeleton height="4rem" width="60%" />
      <Skeleton height="40rem" />
    </Stack>
  );
}

interface UserDialogProps {
  id: string;
  /** The user from the list, shown until the whole answer has arrived. */
  listed: ListedUser | undefined;
  isEditing: boolean;
  /** Renders the user's pictures. */
  pictures: (user: AdminUser) => ReactNode;
  /** Renders the user's subscription; absent if the viewer is not allowed to see it. */
  subscription?: ((user: AdminUser) => ReactNode) | undefined;
  onEdit: (isEditing: boolean) => void;
  onClose: () => void;
}

type ShownProps = Pick<UserDialogProps, 'listed' | 'pictures' | 'subscription'> & { query: ReturnType<typeof useUser> };

/** Shows as much of the user as has been loaded. */
function Shown({ query, listed, pictures, subscription }: ShownProps) {
  const now = useNow(60_000);
  const user = query.data;
  const shown = user ?? listed;
  if (shown === undefined) {
    return (
      <QueryStates
        query={query}
        loadingText={t`Loading user...`}
        skeleton={<LoadingSkeleton />}
        errorText={(error) => t`Error loading user: ${error}`}
      >
        {() => null}
      </QueryStates>
    );
  }
  return (
    <>
      {query.error !== null && (
        <Box mb="1rem">
          <Notice kind="error" onRetry={query.refetch}>
            {t`Error loading user: ${{ error: query.error.message }}`}
          </Notice>
        </Box>
      )}
      <UserHead user={shown} />
      <UserFacts user={shown} now={now} />
      {user?.can.act && subscription && (
        <section className={classes.part}>
          <Title order={3} mb="0.8rem">
            {t`Subscription`}
          </Title>
          {subscription(user)}
        </section>
      )}
      {user ? (
        <section className={classes.part}>
          <Title order={3} mb="0.8rem">
            {t`Pictures`}
          </Title>
          {pictures(user)}
        </section>
      ) : (
        query.isFetching && <LoadingSkeleton />
      )}
    </>
  );
}

/** One user in a dialog over the list: the facts, or the form that changes them. */
export function UserDialog({ id, listed, isEditing, pictures, subscription, onEdit, onClose }: UserDialogProps) {
  const formId = useId();
  const query = useUser(id);
  const changing = useChangeUser();
  const [isSaved, setSaved] = useState(false);
  const [isResolving, setResolving] = useState(false);
  const user = query.data;
  const shown = user ?? listed;
  const mayEdit = user?.can.edit === true;
  const name = shown && (personName(shown) ?? t`Unknown`);
  const [titleName, setTitleName] = useState(name);
  // A new title would move the focus, so an edit keeps the name that it started with.
  if (titleName !== name && (!isEditing || titleName === undefined)) setTitleName(name);

  useEffect(() => {
    if (mayEdit) preloadForm();
  }, [mayEdit]);

  const viewActions = (
    <>
      <Link className={classes.full} to={`/users/${id}`}>
        {t`Open full page`}
      </Link>
      <Button variant="default" onClick={onClose}>
        {t`Close`}
      </Button>
      {mayEdit && (
        <Button
          onClick={() => {
            setSaved(false);
            onEdit(true);
          }}
        >
          {t`Edit User`}
        </Button>
      )}
    </>
  );

  if (isEditing && mayEdit) {
    return (
      <Dialog
        title={t`Edit ${{ name: titleName ?? '' }}`}
        onClose={onClose}
        actions={
          <UserEditActions
            userId={id}
            formId={formId}
            isSaving={changing.isPending}
            isResolving={isResolving}
            onCancel={() => onEdit(false)}
          />
        }
      >
        <UserEditForm
          id={formId}
          user={user}
          changing={changing}
          onConflicts={setResolving}
          onSaved={() => {
            setSaved(true);
            onEdit(false);
          }}
        />
      </Dialog>
    );
  }

  return (
    <Dialog title={t`User Details`} onClose={onClose} actions={viewActions}>
      {isSaved && (
        <Box mb="1rem">
          <Notice kind="success">{t`The changes are saved.`}</Notice>
        </Box>
      )}
      <Shown query={query} listed={listed} pictures={pictures} subscription={subscription} />
    </Dialog>
  );
}
