import { IconEye, IconUserCheck, IconUserOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { ListedUser } from '#contract/profiles/user.ts';
import { readableAddress } from '#contract/text.ts';
import { Avatar } from '../../../ui/data/Avatar.tsx';
import { CutText, RowAction, RowActions, ShortId } from '../../../ui/data/table/cells.tsx';
import type { TableColumn } from '../../../ui/data/table/rows.ts';
import { Time } from '../../../ui/data/Time.tsx';
import { personName } from '../../../ui/text/person.ts';
import { t } from '../../../ui/text/text.ts';
import { LastActive, shortUserId, StatusTag, SubscriptionTag, VerifiedTag } from './UserDetails.tsx';
import classes from './users.module.css';

interface UserCommands {
  onView: (user: ListedUser) => void;
  onActivate: (user: ListedUser) => void;
  onDeactivate: (user: ListedUser) => void;
}

function Person({ user, size, children }: { user: ListedUser; size?: number; children: ReactNode }) {
  const name = personName(user) ?? t('Unknown');
  return (
    <div className={classes.person}>
      <Avatar id={user._id} name={personName(user)} picture={user.profilePicture} {...(size && { size })} />
      <div className={classes.lines}>
        <strong className={classes.name} title={name} dir="auto">
          {name}
        </strong>
        {children}
      </div>
    </div>
  );
}

/** View, activate and deactivate. The last two are only offered if the viewer may change users. */
function Actions({ user, onView, onActivate, onDeactivate }: UserCommands & { user: ListedUser }) {
  const name = personName(user) ?? t('Unknown');
  const isProtected = user.isActive && !user.can.deactivate && !user.can.activate;
  const icon = { size: 18, stroke: 1.75, 'aria-hidden': true } as const;
  return (
    <RowActions>
      <RowAction
        label={t('View {name}', { name })}
        text={t('View')}
        icon={<IconEye {...icon} />}
        onClick={() => onView(user)}
      />
      {user.can.edit && (
        <>
          <RowAction
            label={t('Activate {name}', { name })}
            text={t('Activate')}
            icon={<IconUserCheck {...icon} />}
            tone="positive"
            isDisabled={user.isActive}
            onClick={() => onActivate(user)}
          />
          <RowAction
            label={t('Deactivate {name}', { name })}
            text={t('Deactivate')}
            title={isProtected ? t('You cannot deactivate this account') : t('Deactivate')}
            icon={<IconUserOff {...icon} />}
            tone="accent"
            isDisabled={!user.isActive || isProtected}
            onClick={() => onDeactivate(user)}
          />
        </>
      )}
    </RowActions>
  );
}

/** The columns of the users list. `now` in ms is used for the last activity. The commands must be stable functions. */
export function userColumns(commands: UserCommands, now: number): TableColumn<ListedUser>[] {
  return [
    {
      id: 'name',
      header: 'User',
      sort: 'asc',
      only: 'table',
      width: ['25%', '21.5%'],
      cell: (user) => (
        <Person user={user} size={36}>
          <span className={classes.under}>
            <ShortId id={user._id} short={shortUserId(user._id)} />
            <VerifiedTag isEmailVerified={user.isEmailVerified} />
          </span>
        </Person>
      ),
    },
    {
      id: 'contact',
      header: 'Contact',
      only: 'table',
      width: ['23%', '17.5%'],
      cell: ({ email, location }) => (
        <>
          <CutText text={readableAddress(email)} />
          <CutText text={location?.city ?? '—'} isSoft />
        </>
      ),
    },
    {
      id: 'person',
      only: 'card',
      card: 'head',
      cell: (user) => (
        <Person user={user}>
          <CutText text={readableAddress(user.email)} />
        </Person>
      ),
    },
    { id: 'city', header: 'City', only: 'card', cell: ({ location }) => location?.city ?? '—' },
    { id: 'id', header: 'Id', only: 'card', cell: ({ _id }) => <ShortId id={_id} short={shortUserId(_id)} /> },
    {
      id: 'createdAt',
      header: 'Join Date',
      sort: 'desc',
      width: ['11%', '12%'],
      cell: ({ createdAt }) => <Time at={createdAt} isDate />,
    },
    {
      id: 'lastActive',
      header: 'Last Active',
      sort: 'desc',
      width: '11%',
      cell: ({ lastActive }) => <LastActive time={lastActive} now={now} />,
    },
    { id: 'status', header: 'Status', card: 'tags', width: ['9.5%', '12%'], cell: (user) => <StatusTag user={user} /> },
    {
      id: 'subscription',
      header: 'Subscription',
      card: 'tags',
      width: ['9.5%', '12%'],
      cell: ({ isVIP }) => <SubscriptionTag isVIP={isVIP} />,
    },
    {
      id: 'verified',
      only: 'card',
      card: 'tags',
      cell: ({ isEmailVerified }) => <VerifiedTag isEmailVerified={isEmailVerified} />,
    },
    {
      id: 'actions',
      header: 'Actions',
      card: 'actions',
      width: ['8.5rem', '6.9rem'],
      cell: (user) => <Actions user={user} {...commands} />,
    },
  ];
}
