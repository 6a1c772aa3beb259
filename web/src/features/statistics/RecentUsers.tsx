import { t } from '@lingui/core/macro';
import { Link } from 'react-router';
import type { Statistics } from '#contract/statistics.ts';
import { readableAddress } from '#contract/text.ts';
import { Address, CutText } from '../../ui/data/table/cells.tsx';
import { DataTable } from '../../ui/data/table/DataTable.tsx';
import type { TableColumn } from '../../ui/data/table/rows.ts';
import { Tag } from '../../ui/data/Tag.tsx';
import { Time } from '../../ui/data/Time.tsx';
import { EmptyState } from '../../ui/feedback/PageStates.tsx';
import { Panel } from '../../ui/layout/Page.tsx';
import { personName } from '../../ui/text/person.ts';

type RecentUser = Statistics['recentUsers'][number];

const columns: TableColumn<RecentUser>[] = [
  {
    id: 'name',
    header: () => t`Name`,
    card: 'head',
    cell: (user) => (
      <Link to={`/users/${user._id}`}>
        <CutText text={personName(user) ?? t`Unknown`} />
      </Link>
    ),
  },
  {
    id: 'email',
    header: () => t`Email`,
    card: 'wideFact',
    cell: ({ email }) => <Address>{readableAddress(email)}</Address>,
  },
  { id: 'joined', header: () => t`Join Date`, width: '14%', cell: ({ createdAt }) => <Time at={createdAt} isDate /> },
  {
    id: 'status',
    header: () => t`Status`,
    card: 'tags',
    width: '12%',
    cell: ({ isActive }) => <Tag tone={isActive ? 'positive' : 'quiet'}>{isActive ? t`Active` : t`Inactive`}</Tag>,
  },
  {
    id: 'subscription',
    header: () => t`Subscription`,
    card: 'tags',
    width: '13%',
    cell: ({ isVIP }) => <Tag tone={isVIP ? 'attention' : 'quiet'}>{isVIP ? t`Premium` : t`Free`}</Tag>,
  },
  {
    id: 'presence',
    header: () => t`Presence`,
    card: 'tags',
    width: '12%',
    cell: ({ isOnline }) => (
      <Tag tone={isOnline ? 'positive' : 'quiet'} hasDot>
        {isOnline ? t`Online` : t`Offline`}
      </Tag>
    ),
  },
];

/** The newest users. */
export function RecentUsers({ recentUsers }: Pick<Statistics, 'recentUsers'>) {
  return (
    <Panel title={t`Recent Users`} lead={t`The newest accounts`}>
      {recentUsers.length === 0 ? (
        <EmptyState text={t`No users yet`} hint={t`New members appear here.`} />
      ) : (
        <DataTable label={t`Recent Users`} rows={recentUsers} columns={columns} minWidth="40rem" isPlain />
      )}
    </Panel>
  );
}
