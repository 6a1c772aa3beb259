import { t } from '@lingui/core/macro';
import { Group, Stack } from '@mantine/core';
import { Link } from 'react-router';
import type { AppealState } from '#contract/moderation/decisions.ts';
import type { AppealLine } from '#contract/moderation/appeals.ts';
import { Tag } from '../../../ui/data/Tag.tsx';
import { Time } from '../../../ui/data/Time.tsx';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { Panel } from '../../../ui/layout/Page.tsx';
import classes from '../cases/cases.module.css';
import { TimeLeft } from '../cases/CaseMarks.tsx';
import { personWord } from '../reports/report-words.ts';
import { appealTones, appealWords, decisionSummary, partyWords } from './appeal-words.ts';

/** The state of an appeal as a tag. */
export function AppealTag({ state }: { state: AppealState }) {
  return (
    <Tag tone={appealTones[state]} hasDot>
      {t(appealWords[state])}
    </Tag>
  );
}

/** How much time is left to decide, or when it was decided. */
export function AppealTime({ appeal: { dueAt, answeredAt } }: { appeal: Pick<AppealLine, 'dueAt' | 'answeredAt'> }) {
  if (answeredAt !== null) return <Time at={answeredAt} />;
  const due = dueAt === null ? null : { at: dueAt, what: 'decision' as const };
  return <TimeLeft of={{ due, isPaused: false }} />;
}

/** The appeals against decisions of a case, newest first; nothing if there are none. */
export function CaseAppeals({ appeals }: { appeals: readonly AppealLine[] }) {
  if (appeals.length === 0) return null;
  return (
    <Panel title={t`Appeals`}>
      <Stack component="ul" gap={0}>
        {appeals.map((appeal) => (
          <li key={appeal._id} className={classes.report}>
            <Group gap="0.35rem 0.6rem">
              <Link to={`/appeals/${appeal._id}`}>{t`Appeal against: ${{ what: decisionSummary(appeal) }}`}</Link>
              <AppealTag state={appeal.state} />
            </Group>
            <Hint>
              <bdi>{personWord(appeal.appellant)}</bdi> · {t(partyWords[appeal.party])} · <AppealTime appeal={appeal} />
            </Hint>
          </li>
        ))}
      </Stack>
    </Panel>
  );
}
