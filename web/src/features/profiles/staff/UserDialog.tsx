import { Button } from '@mantine/core';
import { lazy, type ReactNode, Suspense, useEffect, useId, useState } from 'react';
import { Link } from 'react-router';
import type { AdminUser, ListedUser } from '#contract/profiles/user.ts';
import { dropDraft } from '../../../ui/form/drafts.ts';
import { useNow } from '../../../ui/data/Time.tsx';
import { Dialog } from '../../../ui/feedback/Dialog.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { QueryStates, Skeleton } from '../../../ui/feedback/PageStates.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { personName } from '../../../ui/text/person.ts';
import { t } from '../../../ui/text/text.ts';
import { UserFacts, UserHead } from './UserDetails.tsx';
import { useUser, useChangeUser } from './queries.ts';
import { userDraft } from './user-edit.ts';
import classes from './users.module.css';

/** In a chunk of its own: most people who open a user's details only read them. */
const loadForm = () => import('./UserEditForm.tsx');
const UserEditForm = lazy(async () => ({ default: (await loadForm()).UserEditForm }));

function LoadingSkeleton() {
  return (
    <div className={classes.userDialogSkeleton}>
      <Skeleton height="4rem" width="60%" />
      <Skeleton height="13rem" />
    </div>
  );
}

interface UserDialogProps {
  id: string;
  /** As the list knows the user, to show until the whole answer is there. */
  listed: ListedUser | undefined;
  isEditing: boolean;
  /** What is shown of the user's pictures. */
  pictures: (user: AdminUser) => ReactNode;
  /** What is shown of what they pay; nothing for who may not see it. */
  subscription?: ((user: AdminUser) => ReactNode) | undefined;
  onEdit: (isEditing: boolean) => void;
  onClose: () => void;
}

/** One user over the list: the facts, or the form that changes them. */
export function UserDialog({ id, listed, isEditing, pictures, subscription, onEdit, onClose }: UserDialogProps) {
  const formId = useId();
  const now = useNow(60_000);
  const query = useUser(id);
  const changing = useChangeUser();
  const [isSaved, setSaved] = useState(false);
  const user = query.data;
  const shown = user ?? listed;
  const mayEdit = user?.can.edit === true;
  const name = shown && (personName(shown) ?? t('Unknown'));

  useEffect(() => {
    if (mayEdit) void loadForm().catch(() => undefined);
  }, [mayEdit]);

  const editActions = (
    <>
      <Button
        variant="default"
        onClick={() => {
          dropDraft(userDraft(id));
          onEdit(false);
        }}
      >
        {t('Cancel')}
      </Button>
      <BusyButton type="submit" form={formId} isBusy={changing.isPending} busyText={t('Saving...')}>
        {t('Save changes')}
      </BusyButton>
    </>
  );
  const viewActions = (
    <>
      <Link className={classes.full} to={`/users/${id}`}>
        {t('Open full page')}
      </Link>
      <Button variant="default" onClick={onClose}>
        {t('Close')}
      </Button>
      {mayEdit && (
        <Button
          onClick={() => {
            setSaved(false);
            onEdit(true);
          }}
        >
          {t('Edit User')}
        </Button>
      )}
    </>
  );

  if (isEditing && mayEdit) {
    return (
      <Dialog title={t('Edit {name}', { name: name ?? '' })} onClose={onClose} actions={editActions}>
        <Suspense fallback={<LoadingSkeleton />}>
          <UserEditForm
            id={formId}
            user={user}
            changing={changing}
            onSaved={() => {
              setSaved(true);
              onEdit(false);
            }}
          />
        </Suspense>
      </Dialog>
    );
  }

  return (
    <Dialog title={t('User Details')} onClose={onClose} actions={viewActions}>
      {isSaved && (
        <div className={classes.notice}>
          <Notice kind="success">{t('The changes are saved.')}</Notice>
        </div>
      )}
      {shown ? (
        <>
          {query.error !== null && (
            <div className={classes.notice}>
              <Notice kind="error" onRetry={query.refetch}>
                {t('Error loading user: {error}', { error: t(query.error.message) })}
              </Notice>
            </div>
          )}
          <UserHead user={shown} />
          <UserFacts user={shown} now={now} />
          {user && subscription && (
            <section className={classes.part}>
              <h3 className={classes.subtitle}>{t('Subscription')}</h3>
              {subscription(user)}
            </section>
          )}
          {user && (
            <section className={classes.part}>
              <h3 className={classes.subtitle}>{t('Pictures')}</h3>
              {pictures(user)}
            </section>
          )}
        </>
      ) : (
        <QueryStates
          query={query}
          loadingText={t('Loading user...')}
          skeleton={<LoadingSkeleton />}
          errorText="Error loading user: {error}"
        >
          {() => null}
        </QueryStates>
      )}
    </Dialog>
  );
}
