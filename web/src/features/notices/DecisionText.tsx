import type { Notice as Decision, SanctionKind } from '#contract/moderation/decision.ts';
import { Tag } from '../../ui/data/Tag.tsx';
import { Time } from '../../ui/data/Time.tsx';
import { formatDate } from '../../ui/text/format.ts';
import { t } from '../../ui/text/text.ts';
import classes from './notices.module.css';

const measureWords: Record<SanctionKind, string> = {
  warn: 'You received a warning.',
  limit_messaging: "You can't start new conversations.",
  hide_profile: 'Your profile is hidden from other members.',
  suspend: 'Your account was suspended.',
  ban: 'Your account was closed.',
};

function Measure({ measure }: { measure: Decision['measures'][number] }) {
  const { kind, endsAt, isLive, isRevoked } = measure;
  const state = isRevoked ? 'Taken back' : isLive ? 'In force' : 'Over';
  return (
    <li className={classes.measure}>
      <span>
        {t(measureWords[kind])} {endsAt !== null && isLive && t('Until {date}.', { date: formatDate(endsAt) })}
      </span>
      {kind !== 'warn' && <Tag tone={isLive ? 'attention' : 'quiet'}>{t(state)}</Tag>}
      {kind === 'warn' && isRevoked && <Tag tone="quiet">{t('Taken back')}</Tag>}
    </li>
  );
}

/** What was found by which rule, and what that means for the member. */
export function DecisionText({ decision }: { decision: Decision }) {
  const { rule, measures } = decision;
  return (
    <>
      {rule !== null && (
        <p className={classes.rule}>
          {t('Our rule {clause} says:', { clause: rule.clause })} <q>{rule.text}</q>
        </p>
      )}
      <h3 className={classes.title}>{t('What we found')}</h3>
      <p className={classes.facts} dir="auto">
        {decision.facts}
      </p>
      <h3 className={classes.title}>{t('What this means for you')}</h3>
      <ul className={classes.measures}>
        {measures.map((measure) => (
          <Measure key={measure._id} measure={measure} />
        ))}
      </ul>
      <p className={classes.soft}>
        {decision.isDetectionAutomated
          ? t('An automatic check found this, and a person decided.')
          : t('A person decided this.')}{' '}
        <Time at={decision.at} />
      </p>
    </>
  );
}
