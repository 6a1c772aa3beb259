import { Link } from '../../ui/layout/Link.tsx';
import type { Statistics } from '#contract/statistics.ts';
import table from '../../ui/data/CardTable.module.css';
import { formatDate, formatExactTime } from '../../ui/text/format.ts';
import { EmptyState } from '../../ui/feedback/PageStates.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import { personName } from '../../ui/text/person.ts';
import { Tag } from '../../ui/data/Tag.tsx';
import { useLocale, useText } from '../../ui/text/text.ts';

/** The newest users. */
export function RecentUsers({ recentUsers }: Pick<Statistics, 'recentUsers'>) {
  const t = useText();
  const locale = useLocale();
  const columns = [t('Name'), t('Email'), t('Join Date'), t('Status'), t('Subscription'), t('Presence')];
  return (
    <Panel title={t('Recent Users')} lead={t('The newest accounts')}>
      {recentUsers.length === 0 ? (
        <EmptyState text={t('No users yet')} hint={t('Everybody who joins appears here.')} />
      ) : (
        <div className={table.scroll}>
          <table className={table.table} aria-label={t('Recent Users')}>
            <thead>
              <tr>
                {columns.map((column) => (
                  <th key={column} scope="col">
                    {column}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {recentUsers.map((user) => {
                const name = personName(user) ?? t('Unknown');
                return (
                  <tr key={user._id}>
                    <td data-label={columns[0]}>
                      <Link to={`/users/${user._id}`} className={table.cut} title={name} dir="auto">
                        {name}
                      </Link>
                    </td>
                    <td data-label={columns[1]}>
                      <span className={table.cut} title={user.email} dir="auto">
                        {user.email}
                      </span>
                    </td>
                    <td data-label={columns[2]}>
                      <time dateTime={user.createdAt} title={formatExactTime(user.createdAt, locale)}>
                        {formatDate(user.createdAt, locale)}
                      </time>
                    </td>
                    <td data-label={columns[3]}>
                      {user.isActive ? (
                        <Tag tone="positive">{t('Active')}</Tag>
                      ) : (
                        <Tag tone="quiet">{t('Inactive')}</Tag>
                      )}
                    </td>
                    <td data-label={columns[4]}>
                      {user.isVIP ? <Tag tone="attention">{t('Premium')}</Tag> : <Tag tone="quiet">{t('Free')}</Tag>}
                    </td>
                    <td data-label={columns[5]}>
                      {user.isOnline ? (
                        <Tag tone="positive" hasDot>
                          {t('Online')}
                        </Tag>
                      ) : (
                        <Tag tone="quiet" hasDot>
                          {t('Offline')}
                        </Tag>
                      )}
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </div>
      )}
    </Panel>
  );
}
