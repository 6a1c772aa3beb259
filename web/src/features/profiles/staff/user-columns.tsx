import { t } from '@lingui/core/macro';
import { IconEye, IconUserCheck, IconUserOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { roleNames } from '#contract/roles.ts';
import type { ListedUser } from '#contract/profiles/user.ts';
import type { ExportColumn } from '#contract/profiles/user-filters.ts';
import { readableAddress } from '#contract/text.ts';
import { Avatar } from '../../../ui/data/Avatar.tsx';
import { Address, CutText, Nothing, RowAction, RowActions, ShortId } from '../../../ui/data/table/cells.tsx';
import type { TableColumn } from '../../../ui/data/table/rows.ts';
import { linkId } from '../../../ui/data/table/use-row-keys.ts';
import { Time } from '../../../ui/data/Time.tsx';
import { formatNumber } from '../../../ui/text/format.ts';
import { genderWord, personName } from '../../../ui/text/person.ts';
import { LastActive, shortUserId, StatusTag, SubscriptionTag, VerifiedTag } from './UserDetails.tsx';
import classes from './users.module.css';
import { cityIn, countryIn } from '../../../ui/text/text.ts';

interface UserCommands {
  onView: (user: ListedUser) => void;
  onActivate: (user: ListedUser) => void;
  onDeactivate: (user: ListedUser) => void;
}

function Person({ user, size, children }: { user: ListedUser; size?: number; children: ReactNode }) {
  const name = personName(user) ?? t`Unknown`;
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
  const name = personName(user) ?? t`Unknown`;
  const isProtected = user.isActive && !user.can.deactivate && !user.can.activate;
  const icon = { size: 18, stroke: 1.75, 'aria-hidden': true } as const;
  return (
    <RowActions>
      <RowAction
        id={linkId(user._id)}
        label={t`View ${name}`}
        text={t`View`}
        icon={<IconEye {...icon} />}
        onClick={() => onView(user)}
      />
      {user.can.edit && (
        <>
          <RowAction
            label={t`Activate ${name}`}
            text={t`Activate`}
            icon={<IconUserCheck {...icon} />}
            tone="positive"
            isDisabled={user.isActive}
            onClick={() => onActivate(user)}
          />
          <RowAction
            label={t`Deactivate ${name}`}
            text={t`Deactivate`}
            title={isProtected ? t`You cannot deactivate this account` : t`Deactivate`}
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

/** The additional data of cells: the actions, and the current time in ms for the last activity. */
interface Given {
  commands: UserCommands;
  now: number;
}

/** A column, and its share of the width on wide screens and tablets. */
interface UserColumn extends Omit<TableColumn<ListedUser>, 'cell'> {
  cell: (user: ListedUser, given: Given) => ReactNode;
  share?: readonly [wide: number, tablet: number];
  /** The columns of an export that correspond to it. Only a column with them can be hidden and added. */
  exports?: readonly ExportColumn[];
}

const allColumns: readonly UserColumn[] = [
  {
    id: 'name',
    header: () => t`User`,
    sort: 'asc',
    only: 'table',
    share: [25, 21.5],
    cell: (user) => (
      <Person user={user} size={36}>
        <span className={classes.under}>
          <ShortId id={user._id} short={shortUserId(user._id)} />
          <VerifiedTag user={user} />
        </span>
      </Person>
    ),
  },
  {
    id: 'contact',
    exports: ['city'],
    header: () => t`Contact`,
    only: 'table',
    share: [23, 17.5],
    cell: ({ email, location }) => (
      <>
        <Address>{readableAddress(email)}</Address>
        <CutText text={cityIn(location) || '—'} isSoft />
      </>
    ),
  },
  {
    id: 'person',
    only: 'card',
    card: 'head',
    cell: (user) => (
      <Person user={user}>
        <Address>{readableAddress(user.email)}</Address>
      </Person>
    ),
  },
  {
    id: 'city',
    exports: ['city'],
    header: () => t`City`,
    share: [11, 12],
    cell: ({ location }) => cityIn(location) || '—',
  },
  {
    id: 'country',
    exports: ['country'],
    header: () => t`Country`,
    share: [11, 12],
    cell: ({ location }) => (location?.country ? countryIn(location.country) : <Nothing />),
  },
  { id: 'id', header: () => t`Id`, only: 'card', cell: ({ _id }) => <ShortId id={_id} short={shortUserId(_id)} /> },
  {
    id: 'age',
    exports: ['age'],
    header: () => t`Age`,
    share: [5, 6],
    cell: ({ age }) => (age === null ? <Nothing /> : formatNumber(age)),
  },
  {
    id: 'gender',
    exports: ['gender'],
    header: () => t`Gender`,
    share: [8, 9],
    cell: (user) => genderWord(user) ?? <Nothing />,
  },
  {
    id: 'createdAt',
    exports: ['joined'],
    header: () => t`Join Date`,
    sort: 'desc',
    share: [11, 12],
    cell: ({ createdAt }) => <Time at={createdAt} isDate />,
  },
  {
    id: 'lastActive',
    exports: ['lastActive'],
    header: () => t`Last Active`,
    sort: 'desc',
    share: [11, 11],
    cell: ({ lastActive }, { now }) => <LastActive time={lastActive} now={now} />,
  },
  {
    id: 'status',
    exports: ['status'],
    header: () => t`Status`,
    card: 'tags',
    share: [9.5, 12],
    cell: (user) => <StatusTag user={user} />,
  },
  {
    id: 'subscription',
    exports: ['subscription'],
    header: () => t`Subscription`,
    card: 'tags',
    share: [9.5, 12],
    cell: ({ isVIP }) => <SubscriptionTag isVIP={isVIP} />,
  },
  { id: 'verified', only: 'card', card: 'tags', cell: (user) => <VerifiedTag user={user} /> },
  {
    id: 'complete',
    exports: ['complete'],
    header: () => t`Complete`,
    share: [8, 9],
    cell: (user) => (user.profileComplete ? t`Yes` : t`No`),
  },
  {
    id: 'role',
    exports: ['staffRole'],
    header: () => t`Role`,
    share: [11, 12],
    cell: ({ staffRole }) => (staffRole === null ? <Nothing /> : t(roleNames[staffRole])),
  },
  {
    id: 'actions',
    header: () => t`Actions`,
    card: 'actions',
    width: ['8.5rem', '6.9rem'],
    cell: (user, { commands }) => <Actions user={user} {...commands} />,
  },
];

/** The columns that are shown until someone chooses others, and those that can be chosen. */
export const specifiedColumns = ['contact', 'createdAt', 'lastActive', 'status', 'subscription'];
export const choosableColumns = allColumns.filter(({ exports }) => exports !== undefined);

/** The percentages of the width that columns have beside the actions. */
const room = [89, 86] as const;

interface ShownColumns {
  columns: TableColumn<ListedUser>[];
  /** The widths in rem, on wide screens and tablets, below which the table scrolls sideways. */
  leastRem: readonly [wide: number, tablet: number];
}

/** The columns of the users list: the person, those of `shown`, and the actions. The commands must be stable functions. */
export function userColumns(given: Given, shown: readonly string[]): ShownColumns {
  const isHidden = ({ id, exports }: UserColumn) => exports !== undefined && !shown.includes(id);
  const columns = allColumns.flatMap((column): UserColumn[] => {
    if (!isHidden(column)) return [column];
    // Cards always have the city, which the table has below the address.
    return column.id === 'city' ? [{ ...column, only: 'card' }] : [];
  });
  const sum = (at: 0 | 1) =>
    columns.reduce((total, { share, only }) => total + (only === 'card' ? 0 : (share?.[at] ?? 0)), 0);
  const sums = [sum(0), sum(1)] as const;
  const part = (share: number, at: 0 | 1) => `${(share * room[at]) / sums[at]}%`;
  return {
    columns: columns.map(({ share, cell, ...column }) => ({
      ...column,
      cell: (user) => cell(user, given),
      ...(share && { width: [part(share[0], 0), part(share[1], 1)] as const }),
    })),
    // The specified columns may be narrow before their table scrolls; further ones need the room of a full row.
    leastRem: sums[0] > room[0] ? [(66 * sums[0]) / room[0], (52 * sums[1]) / room[1]] : [44, 45],
  };
}
