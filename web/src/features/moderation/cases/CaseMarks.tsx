import { IconAlertTriangle, IconClockExclamation, IconClockPause, IconUserCheck } from '@tabler/icons-react';
import { Link } from 'react-router';
import { type CaseLine, type CaseStage, lateCountMost } from '#contract/moderation/case.ts';
import { Tag } from '../../../ui/data/Tag.tsx';
import { useNow } from '../../../ui/data/Time.tsx';
import { formatExactTime, formatNumber } from '../../../ui/text/format.ts';
import { t } from '../../../ui/text/text.ts';
import { durationText } from '../reports/report-words.ts';
import { criticalWords, stageTones, stageWords } from './case-words.ts';
import classes from './cases.module.css';

const icon = { size: 14, stroke: 2, 'aria-hidden': true } as const;
const everyMs = 30_000;

const dueTexts = {
  response: { left: '{time} left to answer', late: 'Answer {time} late' },
  decision: { left: '{time} left to decide', late: 'Decision {time} late' },
} as const;

/** How much time is left for what is due next, or that the clock stands still. */
export function TimeLeft({ of }: { of: Pick<CaseLine, 'due' | 'isPaused'> }) {
  const now = useNow(everyMs);
  if (of.isPaused)
    return (
      <Tag tone="quiet">
        <IconClockPause {...icon} />
        {t('Paused')}
      </Tag>
    );
  if (of.due === null) return <span className={classes.soft}>{t('Nothing due')}</span>;
  const leftMs = Date.parse(of.due.at) - now;
  const { left, late } = dueTexts[of.due.what];
  const text = t(leftMs < 0 ? late : left, { time: durationText(Math.abs(leftMs)) });
  return leftMs < 0 ? (
    <span title={formatExactTime(of.due.at)}>
      <Tag tone="accent">
        <IconClockExclamation {...icon} />
        {text}
      </Tag>
    </span>
  ) : (
    <span className={classes.left} title={formatExactTime(of.due.at)}>
      {text}
    </span>
  );
}

/** The stage of a case. */
export function StageTag({ stage }: { stage: CaseStage }) {
  return (
    <Tag tone={stageTones[stage]} hasDot>
      {t(stageWords[stage])}
    </Tag>
  );
}

/** Why the case needs a decision with reasons. */
export function CriticalMark({ because }: { because: CaseLine['criticalBecause'] }) {
  if (because === null) return null;
  return (
    <Tag tone="accent">
      <IconAlertTriangle {...icon} />
      {t(criticalWords[because])}
    </Tag>
  );
}

/** Who has the case in hand. */
export function HolderMark({ holder }: Pick<CaseLine, 'holder'>) {
  if (holder === null) return <span data-nothing>—</span>;
  return (
    <span className={classes.holder}>
      <IconUserCheck {...icon} />
      <bdi>{holder.name}</bdi>
    </span>
  );
}

const mostCounted = 100;

interface ViewLinksProps<V extends string> {
  /** What the lists are of. */
  label: string;
  views: readonly V[];
  words: Record<V, string>;
  current: V;
  counts: Partial<Record<V, number>>;
  addressOf: (view: V) => string;
  /** The list that should be empty. */
  late?: V;
}

/** The lists of a queue with their sizes. */
export function ViewLinks<V extends string>(props: ViewLinksProps<V>) {
  const { label, views, words, current, counts, addressOf, late } = props;
  return (
    <nav aria-label={label}>
      <ul className={classes.views}>
        {views.map((view) => {
          const count = counts[view] ?? 0;
          return (
            <li key={view}>
              <Link to={addressOf(view)} aria-current={view === current ? 'page' : undefined} className={classes.view}>
                {t(words[view])}
                <span className={classes.count} data-late={(view === late && count > 0) || undefined}>
                  {formatNumber(count)}
                  {count >= (view === late ? lateCountMost : mostCounted) && '+'}
                </span>
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
