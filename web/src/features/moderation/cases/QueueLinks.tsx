import type { MessageDescriptor } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { lateCountMost } from '#contract/moderation/case-list.ts';
import { ViewLink, ViewStrip } from '../../../ui/data/table/ViewLinks.tsx';
import { countText, mostCounted } from './CaseMarks.tsx';

interface QueueLinksProps<V extends string> {
  /** The accessible name of the lists. */
  label: string;
  views: readonly V[];
  words: Record<V, MessageDescriptor>;
  /** The current list; undefined while something else is shown. */
  current: V | undefined;
  counts: Partial<Record<V, number>>;
  addressOf: (view: V) => string;
  /** The list that should be empty. */
  late?: V;
  /** The lists can be opened with number keys. */
  hasShortcuts?: boolean;
}

/** Links to the lists of a queue, with their counts. */
export function QueueLinks<V extends string>(props: QueueLinksProps<V>) {
  const { label, views, words, current, counts, addressOf, late, hasShortcuts = false } = props;
  return (
    <ViewStrip label={label}>
      {views.map((view, index) => {
        const count = counts[view] ?? 0;
        return (
          <ViewLink
            key={view}
            to={addressOf(view)}
            isCurrent={view === current}
            count={countText(count, count >= (view === late ? lateCountMost : mostCounted))}
            isLate={view === late && count > 0}
            shortcut={hasShortcuts ? String(index + 1) : undefined}
          >
            {t(words[view])}
          </ViewLink>
        );
      })}
    </ViewStrip>
  );
}
