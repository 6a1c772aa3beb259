import { createColumnHelper } from '@tanstack/react-table';
import { Link } from 'react-router';
import type { Statistics } from '#contract/statistics.ts';
import { CutText, DataTable, type dataTableFeatures } from '../../ui/data/DataTable.tsx';
import { Tag } from '../../ui/data/Tag.tsx';
import { Time } from '../../ui/data/Time.tsx';
import { EmptyState } from '../../ui/feedback/PageStates.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import { personName } from '../../ui/text/person.ts';
import { t } from '../../ui/text/text.ts';

type RecentUser = Statistics['recentUsers'][number];

function NameLink({ user }: { user: RecentUser }) {
  return (
    <Link to={`/users/${user._id}`}>
      <CutText text={personName(user) ?? t('Unknown')} />
    </Link>
  );
}

function State({ isOn, on, off, hasDot }: { isOn: boolean; on: string; off: string; hasDot?: boolean }) {
  return (
    <Tag tone={isOn ? 'positive' : 'quiet'} hasDot={hasDot === true}>
      {t(isOn ? on : off)}
    </Tag>
  );
}

function Subscription({ isVIP }: { isVIP: boolean }) {
  return <Tag tone={isVIP ? 'attention' : 'quiet'}>{t(isVIP ? 'Premium' : 'Free')}</Tag>;
}

const column = createColumnHelper<typeof dataTableFeatures, RecentUser>();

const columns = column.columns([
  column.display({
    id: 'name',
    header: 'Name',
    meta: { card: 'head' },
    cell: ({ row }) => <NameLink user={row.original} />,
  }),
  column.display({
    id: 'email',
    header: 'Email',
    meta: { card: 'wideFact' },
    cell: ({ row }) => <CutText text={row.original.email} />,
  }),
  column.display({
    id: 'joined',
    header: 'Join Date',
    meta: { width: '14%' },
    cell: ({ row }) => <Time at={row.original.createdAt} isDate />,
  }),
  column.display({
    id: 'status',
    header: 'Status',
    meta: { card: 'tags', width: '12%' },
    cell: ({ row }) => <State isOn={row.original.isActive} on="Active" off="Inactive" />,
  }),
  column.display({
    id: 'subscription',
    header: 'Subscription',
    meta: { card: 'tags', width: '13%' },
    cell: ({ row }) => <Subscription isVIP={row.original.isVIP} />,
  }),
  column.display({
    id: 'presence',
    header: 'Presence',
    meta: { card: 'tags', width: '12%' },
    cell: ({ row }) => <State isOn={row.original.isOnline} on="Online" off="Offline" hasDot />,
  }),
]);

const userId = ({ _id }: RecentUser) => _id;

/** The newest users. */
export function RecentUsers({ recentUsers }: Pick<Statistics, 'recentUsers'>) {
  return (
    <Panel title={t('Recent Users')} lead={t('The newest accounts')}>
      {recentUsers.length === 0 ? (
        <EmptyState text={t('No users yet')} hint={t('New members appear here.')} />
      ) : (
        <DataTable
          label={t('Recent Users')}
          rows={recentUsers}
          rowId={userId}
          columns={columns}
          minWidth="40rem"
          isPlain
        />
      )}
    </Panel>
  );
}
