import { Link } from 'react-router';
import type { AppealLine } from '#contract/moderation/staff-appeal.ts';
import { Panel } from '../../../ui/layout/Page.tsx';
import { t } from '../../../ui/text/text.ts';
import classes from '../cases/cases.module.css';
import shared from '../reports/report.module.css';
import { personWord } from '../reports/report-words.ts';
import { decisionSummary, partyWords } from './appeal-words.ts';
import { AppealTag, AppealTime } from './AppealMarks.tsx';

/** The appeals against decisions of a case, newest first; nothing without any. */
export function CaseAppeals({ appeals }: { appeals: readonly AppealLine[] }) {
  if (appeals.length === 0) return null;
  return (
    <Panel title={t('Appeals')}>
      <ul className={classes.reports}>
        {appeals.map((appeal) => (
          <li key={appeal._id} className={classes.report}>
            <p className={classes.reportHead}>
              <Link to={`/appeals/${appeal._id}`}>
                {t('Appeal against: {what}', { what: decisionSummary(appeal) })}
              </Link>
              <AppealTag state={appeal.state} />
            </p>
            <p className={shared.soft}>
              <bdi>{personWord(appeal.appellant)}</bdi> · {t(partyWords[appeal.party])} · <AppealTime appeal={appeal} />
            </p>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
