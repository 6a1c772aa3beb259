import { Link } from 'react-router';
import type { AuditEventView } from '#contract/moderation/audit.ts';
import { RichText } from '../../../ui/data/RichText.tsx';
import { DataTable, type dataTableFeatures, Nothing } from '../../../ui/data/DataTable.tsx';
import { Time } from '../../../ui/data/Time.tsx';
import { t } from '../../../ui/text/text.ts';
import { shortReportId } from '../reports/report-words.ts';
import { actionSentences, fieldName, roleNames, valueWords } from './audit-words.ts';
import { createColumnHelper } from '@tanstack/react-table';
import { createContext, use } from 'react';
import classes from './audit.module.css';

const shownIdLength = 8;

const OnlyActor = createContext<(actorId: string) => void>(() => undefined);

/** Who did it; pressing the name narrows the list to their actions. */
function Actor({ actor }: { actor: AuditEventView['actor'] }) {
  const onOnly = use(OnlyActor);
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

/** The user or report it was done to, linked to its page. */
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

function EventSentence({ event }: { event: AuditEventView }) {
  const role = roleNames[event.actor.role];
  return (
    <div>
      <RichText
        text={actionSentences[event.action]}
        parts={{ actor: <Actor actor={event.actor} />, target: <Target target={event.target} /> }}
      />
      {role !== undefined && <span className={classes.role}>{t(role)}</span>}
    </div>
  );
}

const column = createColumnHelper<typeof dataTableFeatures, AuditEventView>();

const columns = column.columns([
  column.display({
    id: 'time',
    header: 'Time',
    meta: { card: 'head', width: '12.5rem', tabletWidth: '8.5rem' },
    cell: ({ row }) => (
      <span className={classes.time}>
        <Time at={row.original.at} />
      </span>
    ),
  }),
  column.display({
    id: 'event',
    header: 'Event',
    meta: { card: 'body', width: '22rem', tabletWidth: 'auto' },
    cell: ({ row }) => <EventSentence event={row.original} />,
  }),
  column.display({
    id: 'reason',
    header: 'Reason',
    meta: { card: 'wideFact' },
    cell: ({ row }) => row.original.reason ?? <Nothing />,
  }),
  column.display({
    id: 'changes',
    header: 'Changes',
    meta: { card: 'wideFact' },
    cell: ({ row }) => (row.original.changes ? <Changes changes={row.original.changes} /> : <Nothing />),
  }),
]);

interface AuditTableProps {
  events: readonly AuditEventView[];
  /** Narrows the list to one person's actions; stable. */
  onOnlyActor: (actorId: string) => void;
}

const eventId = ({ _id }: AuditEventView) => _id;

/** What staff did and viewed, one sentence per event. */
export function AuditTable({ events, onOnlyActor }: AuditTableProps) {
  return (
    <OnlyActor value={onOnlyActor}>
      <DataTable label={t('Audit trail')} rows={events} rowId={eventId} columns={columns} minWidth="42rem" />
    </OnlyActor>
  );
}
