import { t } from '@lingui/core/macro';
import { Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { AuditEventView } from '#contract/moderation/audit.ts';
import { RichText } from '../../../ui/data/RichText.tsx';
import { IdLink, Nothing } from '../../../ui/data/table/cells.tsx';
import type { TableColumn } from '../../../ui/data/table/rows.ts';
import { Time } from '../../../ui/data/Time.tsx';
import { fill } from '../../../ui/text/i18n.ts';
import { shortReportId } from '../reports/report-words.ts';
import { actionSentences, fieldName, valueWords } from './audit-words.ts';
import classes from './audit.module.css';
import { isStaffRole, roleNames } from '#contract/roles.ts';

const shownIdLength = 8;

/** The actor. Pressing the name limits the list to their actions. */
function Actor({ actor, onOnly }: { actor: AuditEventView['actor']; onOnly: (actorId: string) => void }) {
  const { _id: id, name } = actor;
  if (id === null) return <strong>{name}</strong>;
  return (
    <button type="button" className={classes.actor} title={t`Show only actions by ${name}`} onClick={() => onOnly(id)}>
      {name}
    </button>
  );
}

/** The user, report or case that the action was about, linked to its page. */
function Target({ target }: { target: AuditEventView['target'] }) {
  if (target.id === null) return '—';
  const isReport = target.type === 'report';
  if (target.type === 'rule' || target.type === 'tag')
    return <Link to="/rules">{target.id.slice(0, shownIdLength)}</Link>;
  if (target.type === 'notice') return <Link to="/cases/notices">{target.id.slice(0, shownIdLength)}</Link>;
  const place = isReport ? 'reports' : target.type === 'case' ? 'cases' : 'users';
  return (
    <IdLink to={`/${place}/${target.id}`} title={target.id}>
      {isReport ? shortReportId(target.id) : target.id.slice(0, shownIdLength)}
    </IdLink>
  );
}

const isNothing = (value: unknown) => value === null || value === undefined || value === '';

/** Each changed field with its old and new value. */
function Changes({ changes }: { changes: NonNullable<AuditEventView['changes']> }) {
  return (
    <Stack component="dl" gap="0.35rem" className={classes.changes}>
      {Object.entries(changes).map(([field, { from, to }]) => (
        <div key={field}>
          <dt>{fieldName(field)}</dt>
          <dd>
            <span className="visually-hidden">{t`from`} </span>
            <Text span c="dimmed" {...(!isNothing(from) && { td: 'line-through' })}>
              {valueWords(field, from)}
            </Text>
            <span className={`${classes.arrow ?? ''} mirrored`} aria-hidden="true">
              →
            </span>
            <span className="visually-hidden">{t`to`} </span>
            <strong>{valueWords(field, to)}</strong>
          </dd>
        </div>
      ))}
    </Stack>
  );
}

/**
 * The columns of the audit trail, with one sentence per event. `onOnlyActor` limits the list to a person's actions and
 * must be a stable function.
 */
export function auditColumns(onOnlyActor: (actorId: string) => void): TableColumn<AuditEventView>[] {
  return [
    {
      id: 'time',
      header: () => t`Time`,
      card: 'head',
      width: ['12.5rem', '8.5rem'],
      cell: ({ at }) => (
        <Text span c="dimmed">
          <Time at={at} />
        </Text>
      ),
    },
    {
      id: 'event',
      header: () => t`Event`,
      card: 'body',
      width: ['22rem', 'auto'],
      cell: ({ action, actor, target }) => (
        <div>
          <RichText
            text={(parts) => fill(actionSentences[action], parts)}
            parts={{ actor: <Actor actor={actor} onOnly={onOnlyActor} />, target: <Target target={target} /> }}
          />
          {isStaffRole(actor.role) && (
            <Text c="dimmed" fz="small">
              {t(roleNames[actor.role])}
            </Text>
          )}
        </div>
      ),
    },
    { id: 'reason', header: () => t`Reason`, card: 'wideFact', cell: ({ reason }) => reason ?? <Nothing /> },
    {
      id: 'changes',
      header: () => t`Changes`,
      card: 'wideFact',
      cell: ({ changes }) => (changes ? <Changes changes={changes} /> : <Nothing />),
    },
  ];
}
