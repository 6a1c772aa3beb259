import { Link } from 'react-router';
import type { AuditEventView } from '#contract/moderation/audit.ts';
import { RichText } from '../../../ui/data/RichText.tsx';
import { Nothing } from '../../../ui/data/table/cells.tsx';
import { DataTable } from '../../../ui/data/table/DataTable.tsx';
import type { TableColumn } from '../../../ui/data/table/rows.ts';
import { Time } from '../../../ui/data/Time.tsx';
import { t } from '../../../ui/text/text.ts';
import { shortReportId } from '../reports/report-words.ts';
import { actionSentences, fieldName, valueWords } from './audit-words.ts';
import { useMemo } from 'react';
import classes from './audit.module.css';
import { isStaffRole, roleNames } from '#contract/roles.ts';

const shownIdLength = 8;

/** The actor; pressing the name filters the list to their actions. */
function Actor({ actor, onOnly }: { actor: AuditEventView['actor']; onOnly: (actorId: string) => void }) {
  const { _id: id, name } = actor;
  if (id === null) return <strong>{name}</strong>;
  return (
    <button
      type="button"
      className={classes.actor}
      title={t('Show only actions by {name}', { name })}
      onClick={() => onOnly(id)}
    >
      {name}
    </button>
  );
}

/** The user, report or case that was acted on, linked to its page. */
function Target({ target }: { target: AuditEventView['target'] }) {
  if (target.id === null) return '—';
  const isReport = target.type === 'report';
  if (target.type === 'rule') return <Link to="/rules">{target.id.slice(0, shownIdLength)}</Link>;
  const place = isReport ? 'reports' : target.type === 'case' ? 'cases' : 'users';
  return (
    <Link to={`/${place}/${target.id}`} title={target.id} className={classes.target}>
      {isReport ? shortReportId(target.id) : target.id.slice(0, shownIdLength)}
    </Link>
  );
}

const isNothing = (value: unknown) => value === null || value === undefined || value === '';

/** Each changed field with its old and new value. */
function Changes({ changes }: { changes: NonNullable<AuditEventView['changes']> }) {
  return (
    <dl className={classes.changes}>
      {Object.entries(changes).map(([field, { from, to }]) => (
        <div key={field}>
          <dt>{t(fieldName(field))}</dt>
          <dd>
            <span className="visually-hidden">{t('from')} </span>
            <span className={isNothing(from) ? classes.nothing : classes.from}>{valueWords(field, from)}</span>
            <span className={classes.arrow} aria-hidden="true">
              →
            </span>
            <span className="visually-hidden">{t('to')} </span>
            <span className={classes.to}>{valueWords(field, to)}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function columnsFor(onOnlyActor: (actorId: string) => void): TableColumn<AuditEventView>[] {
  return [
    {
      id: 'time',
      header: 'Time',
      card: 'head',
      width: ['12.5rem', '8.5rem'],
      cell: ({ at }) => (
        <span className={classes.time}>
          <Time at={at} />
        </span>
      ),
    },
    {
      id: 'event',
      header: 'Event',
      card: 'body',
      width: ['22rem', 'auto'],
      cell: ({ action, actor, target }) => (
        <div>
          <RichText
            text={actionSentences[action]}
            parts={{ actor: <Actor actor={actor} onOnly={onOnlyActor} />, target: <Target target={target} /> }}
          />
          {isStaffRole(actor.role) && <span className={classes.role}>{t(roleNames[actor.role])}</span>}
        </div>
      ),
    },
    { id: 'reason', header: 'Reason', card: 'wideFact', cell: ({ reason }) => reason ?? <Nothing /> },
    {
      id: 'changes',
      header: 'Changes',
      card: 'wideFact',
      cell: ({ changes }) => (changes ? <Changes changes={changes} /> : <Nothing />),
    },
  ];
}

const eventId = ({ _id }: AuditEventView) => _id;

interface AuditTableProps {
  events: readonly AuditEventView[];
  /** Filters the list to one person's actions; stable. */
  onOnlyActor: (actorId: string) => void;
}

/** What staff did and viewed, one sentence per event. */
export function AuditTable({ events, onOnlyActor }: AuditTableProps) {
  const columns = useMemo(() => columnsFor(onOnlyActor), [onOnlyActor]);
  return <DataTable label={t('Audit trail')} rows={events} rowId={eventId} columns={columns} minWidth="42rem" />;
}
