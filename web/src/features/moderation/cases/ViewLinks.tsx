import { Link } from 'react-router';
import { formatNumber } from '../../../ui/text/format.ts';
import { t } from '../../../ui/text/text.ts';
import classes from './cases.module.css';

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
                  {count >= mostCounted && '+'}
                </span>
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
