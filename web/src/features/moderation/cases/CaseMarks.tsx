import { msg, t } from '@lingui/core/macro';
import { Group, Text } from '@mantine/core';
import {
  IconAlertTriangle,
  IconClockExclamation,
  IconClockPause,
  IconHandStop,
  IconUserCheck,
} from '@tabler/icons-react';
import type { CaseLine, CaseStage } from '#contract/moderation/cases.ts';
import { reportTypeWords } from '#contract/moderation/reports.ts';
import { Tag } from '../../../ui/data/Tag.tsx';
import { useNow } from '../../../ui/data/Time.tsx';
import { formatExactTime, formatNumber } from '../../../ui/text/format.ts';
import { fill } from '../../../ui/text/i18n.ts';
import { durationText, priorityWords } from '../reports/report-words.ts';
import { criticalWords, holdWords, orderWords, stageTones, stageWords, viewWords } from './case-words.ts';
import { type CaseList, listNamed } from './queries.ts';

const icon = { size: 14, stroke: 2, 'aria-hidden': true } as const;
const everyMs = 30_000;

const dueTexts = {
  response: { left: msg({ message: '{time} left to answer' }), late: msg({ message: 'Answer {time} late' }) },
  decision: { left: msg({ message: '{time} left to decide' }), late: msg({ message: 'Decision {time} late' }) },
};

/** The time left until the next deadline, or that the clock is paused. */
export function TimeLeft({ of }: { of: Pick<CaseLine, 'due' | 'isPaused'> }) {
  const now = useNow(everyMs);
  if (of.isPaused)
    return (
      <Tag tone="quiet">
        <IconClockPause {...icon} />
        {t`Paused`}
      </Tag>
    );
  if (of.due === null)
    return (
      <Text span c="dimmed">
        {t`Nothing due`}
      </Text>
    );
  const leftMs = Date.parse(of.due.at) - now;
  const { left, late } = dueTexts[of.due.what];
  const text = fill(leftMs < 0 ? late : left, { time: durationText(Math.abs(leftMs)) });
  return leftMs < 0 ? (
    <span title={formatExactTime(of.due.at)}>
      <Tag tone="accent">
        <IconClockExclamation {...icon} />
        {text}
      </Tag>
    </span>
  ) : (
    <span title={formatExactTime(of.due.at)}>{text}</span>
  );
}

/** The stage of a case as a tag. */
export function StageTag({ stage }: { stage: CaseStage }) {
  return (
    <Tag tone={stageTones[stage]} hasDot>
      {t(stageWords[stage])}
    </Tag>
  );
}

/** The reason why a case is critical. */
export function CriticalMark({ because }: { because: CaseLine['criticalBecause'] }) {
  if (because === null) return null;
  return (
    <Tag tone="accent">
      <IconAlertTriangle {...icon} />
      {t(criticalWords[because])}
    </Tag>
  );
}

/** A mark that the person is held, and for how long. */
export function HoldMark({ hold }: Pick<CaseLine, 'hold'>) {
  const now = useNow(everyMs);
  if (hold === null) return null;
  return (
    <Tag tone="attention">
      <IconHandStop {...icon} />
      {t`Held for ${{ time: durationText(Math.max(0, now - Date.parse(hold.since))) }}: ${{ cause: t(holdWords[hold.cause]) }}`}
    </Tag>
  );
}

/** The colleague who is handling the case; `label` says so to screen readers where nothing else does. */
export function HolderMark({ holder, label }: Pick<CaseLine, 'holder'> & { label?: string }) {
  if (holder === null) return <span data-nothing>—</span>;
  return (
    <Group component="span" display="inline-flex" gap="0.3rem" wrap="nowrap">
      <IconUserCheck {...icon} />
      {label !== undefined && <span className="visually-hidden">{label}</span>}
      <bdi>{holder.name}</bdi>
    </Group>
  );
}

/** A list with its filters as text. */
export function listText({ view, priority, type, order = 'due' }: CaseList): string {
  const words = [
    viewWords[listNamed(view) ?? 'open'],
    ...(priority ?? []).map((one) => priorityWords[one]),
    ...(type ?? []).map((one) => reportTypeWords[one]),
    order !== 'due' && orderWords[order],
  ];
  return words.flatMap((word) => (word ? [t(word)] : [])).join(' · ');
}

/** The number up to which most lists are counted. */
export const mostCounted = 100;

/** The number of cases in a list; most lists are counted up to 100. */
export function countText(count: number, isAtLeast = count >= mostCounted): string {
  return `${formatNumber(count)}${isAtLeast ? '+' : ''}`;
}
