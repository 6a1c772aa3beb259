import { Link } from 'react-router';
import type { ReportHistory } from '#contract/moderation/report-file.ts';
import { readableAddress } from '#contract/text.ts';
import { Tag } from '../../../ui/data/Tag.tsx';
import { Panel } from '../../../ui/layout/Page.tsx';
import { formatNumber } from '../../../ui/text/format.ts';
import { Time } from '../../../ui/data/Time.tsx';
import { t } from '../../../ui/text/text.ts';
import { ReportStatusTag } from './ReportMarks.tsx';
import { personWord, shortReportId } from './report-words.ts';
import classes from './history.module.css';
import shared from './report.module.css';

const sanctionWords: Record<ReportHistory['sanctions'][number]['action'], string> = {
  'user.deactivated': 'Deactivated by {by}',
  'user.activated': 'Activated again by {by}',
};

function Earlier({ title, none, earlier }: { title: string; none: string; earlier: ReportHistory['filed'] }) {
  const { total, newest } = earlier;
  return (
    <section>
      <h3 className={classes.listTitle}>
        {title} <span className={classes.count}>{formatNumber(total)}</span>
      </h3>
      {newest.length === 0 ? (
        <p className={shared.soft}>{none}</p>
      ) : (
        <ul className={classes.lines}>
          {newest.map((line) => (
            <li key={line._id} className={classes.line}>
              <Link to={`/reports/${line._id}`} title={line._id} className={classes.id}>
                {shortReportId(line._id)}
              </Link>
              <span className={classes.what}>
                {t(line.problem_type)}
                <Time at={line.createdAt} isDate />
              </span>
              <ReportStatusTag status={line.status} />
            </li>
          ))}
        </ul>
      )}
      {total > newest.length && newest.length > 0 && (
        <p className={shared.soft}>{t('The newest {count} are shown.', { count: newest.length })}</p>
      )}
    </section>
  );
}

function Sanctions({ sanctions }: Pick<ReportHistory, 'sanctions'>) {
  return (
    <section>
      <h3 className={classes.listTitle}>{t('Sanctions')}</h3>
      {sanctions.length === 0 ? (
        <p className={shared.soft}>{t('None')}</p>
      ) : (
        <ul className={classes.lines}>
          {sanctions.map(({ at, action, by, reason }) => (
            <li key={`${at} ${action}`}>
              <p className={classes.sanction}>
                {t(sanctionWords[action], { by })}
                {' · '}
                <Time at={at} isDate />
              </p>
              {reason !== null && (
                <p className={shared.soft} dir="auto">
                  {reason}
                </p>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** What staff should know about a person in a report: earlier reports by and about them, and sanctions. */
export function ReportPersonHistory({ title, history }: { title: string; history: ReportHistory }) {
  const { person, joinedAt, filed, about, sanctions } = history;
  const name = personWord(person);
  return (
    <Panel title={title}>
      <div className={classes.person}>
        <p className={classes.heading}>
          {person._id === null ? (
            <bdi>{name}</bdi>
          ) : (
            <Link to={`/users/${person._id}`}>
              <bdi>{name}</bdi>
            </Link>
          )}
          {person._id === null ? (
            <Tag tone="quiet">{t('Account deleted')}</Tag>
          ) : (
            !person.isActive && <Tag tone="attention">{t('Inactive')}</Tag>
          )}
        </p>
        {person.email !== null && <p className={shared.soft}>{readableAddress(person.email)}</p>}
        {joinedAt !== null && (
          <p className={shared.soft}>
            {t('Joined')} <Time at={joinedAt} isDate />
          </p>
        )}
      </div>
      <div className={classes.parts}>
        <Earlier title={t('Reports about them')} none={t('No earlier reports')} earlier={about} />
        <Earlier title={t('Reports they filed')} none={t('No earlier reports')} earlier={filed} />
        <Sanctions sanctions={sanctions} />
      </div>
    </Panel>
  );
}
