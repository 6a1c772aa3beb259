import type { CompatibilityBand } from '#contract/compatibility/compatibility.ts';
import { formatNumber } from '../../../ui/text/format.ts';
import { t } from '../../../ui/text/text.ts';
import classes from './Compatibility.module.css';

const bandWords: Record<CompatibilityBand, string> = { low: 'low fit', good: 'good fit', high: 'high fit' };

interface CompatibilityProps {
  score: number | null;
  band: CompatibilityBand | null;
  /** How many questions both answered; null if unknown. */
  common: number | null;
}

/** How well two people's answers fit, and what that is worth; nothing where there are too few. */
export function Compatibility({ score, band, common }: CompatibilityProps) {
  if (score === null || band === null) return null;
  const parts = [
    t('Compatibility {score}', { score: formatNumber(score) }),
    t(bandWords[band]),
    ...(common === null ? [] : [t('from {common} answers you both gave', { common: formatNumber(common) })]),
  ];
  return (
    <div className={classes.compatibility}>
      <p className={classes.score} data-band={band}>
        {parts.join(' · ')}
      </p>
      <p className={classes.worth}>{t('Based on what you both told us.')}</p>
    </div>
  );
}
