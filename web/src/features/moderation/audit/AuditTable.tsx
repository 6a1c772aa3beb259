import { Link } from '../../../ui/layout/Link.tsx';
import type { AuditEventView } from '#contract/moderation/audit.ts';
import table from '../../../ui/data/CardTable.module.css';
import { formatExactTime, formatTime } from '../../../ui/text/format.ts';
import { RichText } from '../../../ui/data/RichText.tsx';
import { useLocale, useText } from '../../../ui/text/text.ts';
import { actionSentences, fieldName, roleNames, valueWords } from './audit-words.ts';
import classes from './AuditTable.module.css';
import { shortReportId } from '../reports/report-words.ts';

const shownIdLength = 8;

/** Who did it; pressing the name leaves only what they did. */
function Actor({ actor, onOnly }: { actor: AuditEventView['actor']; onOnly: (actorId: string) => void }) {
  const t = useText();
  const { _id: id, name } = actor;
  if (id === null) return <strong>{name}</strong>;
  return (
    <button
      type="button"
      className={classes.actor}
      title={t('Show only what {name} did', { name })}
      onClick={() => onOnly(id)}
    >
      {name}
    </button>
  );
}

/** To whom or what; leads to their page, or the report's. */
function Target({ target }: { target: AuditEventView['target'] }) {
  if (target.id === null) return '—';
  const isReport = target.type === 'report';
  return (
    <Link to={`/${isReport ? 'reports' : 'users'}/${target.id}`} title={target.id} className={classes.target}>
      {isReport ? shortReportId(target.id) : target.id.slice(0, shownIdLength)}
    </Link>
  );
}

const isNothing = (value: unknown) => value === null || value === undefined || value === '';

/** Each changed field, from what to what. */
function Changes({ changes }: { changes: NonNullable<AuditEventView['changes']> }) {
  const t = useText();
  return (
    <dl className={classes.changes}>
      {Object.entries(changes).map(([field, { from, to }]) => (
        <div key={field}>
          <dt>{t(fieldName(field))}</dt>
          <dd>
            <span className="visually-hidden">{t('from')} </span>
            <span className={isNothing(from) ? classes.nothing : classes.from}>{valueWords(field, from, t)}</span>
            <span className={classes.arrow} aria-hidden="true">
              →
            </span>
            <span className="visually-hidden">{t('to')} </span>
            <span className={classes.to}>{valueWords(field, to, t)}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface AuditTableProps {
  events: readonly AuditEventView[];
  onOnlyActor: (actorId: string) => void;
}

/** What staff did and read, one sentence an event. */
export function AuditTable({ events, onOnlyActor }: AuditTableProps) {
  const t = useText();
  const locale = useLocale();
  const columns = [t('Time'), t('Event'), t('Reason'), t('Changes')];
  return (
    <div className={classes.region}>
      <table className={`${table.table} ${classes.table}`} aria-label={t('Audit trail')}>
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
          {events.map((event) => (
            <tr key={event._id}>
              <td data-label={columns[0]} className={classes.time}>
                <time dateTime={event.at} title={formatExactTime(event.at, locale)}>
                  {formatTime(event.at, locale)}
                </time>
              </td>
              <td data-label={columns[1]} className={classes.event}>
                <span className={classes.sentence}>
                  <RichText
                    text={actionSentences[event.action]}
                    parts={{
                      actor: <Actor actor={event.actor} onOnly={onOnlyActor} />,
                      target: <Target target={event.target} />,
                    }}
                  />
                </span>
                {roleNames[event.actor.role] !== undefined && (
                  <span className={classes.role}>{t(roleNames[event.actor.role] ?? '')}</span>
                )}
              </td>
              <td
                data-label={columns[2]}
                className={classes.reason}
                data-empty={event.reason === undefined || undefined}
              >
                {event.reason ?? '—'}
              </td>
              <td data-label={columns[3]} data-empty={event.changes === undefined || undefined}>
                {event.changes ? <Changes changes={event.changes} /> : '—'}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
