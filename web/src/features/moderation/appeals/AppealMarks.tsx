import type { AppealState } from '#contract/moderation/appeal.ts';
import type { AppealLine } from '#contract/moderation/staff-appeal.ts';
import { Tag } from '../../../ui/data/Tag.tsx';
import { Time } from '../../../ui/data/Time.tsx';
import { t } from '../../../ui/text/text.ts';
import { TimeLeft } from '../cases/CaseMarks.tsx';
import { appealTones, appealWords } from './appeal-words.ts';

/** Where an appeal is. */
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
