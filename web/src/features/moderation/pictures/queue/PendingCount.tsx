import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { formatNumber } from '../../../../ui/text/format.ts';
import { useLocale } from '../../../../ui/text/text.ts';
import classes from './PendingCount.module.css';
import { pendingPicturesQuery } from '../pictures-query.ts';

/** How many pictures wait; nothing when none do, or nobody can tell. */
export function PendingCount({ onSome }: { onSome: () => void }) {
  const locale = useLocale();
  const { data } = useQuery(pendingPicturesQuery);
  const hasSome = data !== undefined && data.total > 0;
  const tell = useEffectEvent(onSome);
  useEffect(() => {
    if (hasSome) tell();
  }, [hasSome]);
  if (!hasSome) return null;
  return (
    <span className={classes.count}>
      {formatNumber(data.total, locale)}
      {data.totalIsExact === false && '+'}
    </span>
  );
}
