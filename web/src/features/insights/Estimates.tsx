import type { Formula, FormulaEstimates } from '#contract/discovery/matching.ts';
import { Time } from '../../ui/data/Time.tsx';
import { EmptyState } from '../../ui/feedback/PageStates.tsx';
import { Panel } from '../../ui/layout/Page.tsx';
import { formatNumber } from '../../ui/text/format.ts';
import { t } from '../../ui/text/text.ts';
import classes from './Estimates.module.css';

const names: Record<Formula, string> = {
  shipped: 'In use',
  'viewer-more': 'Viewer’s like × 1.5',
  'viewer-twice': 'Viewer’s like × 2',
  'viewer-only': 'Without the person’s like',
  'person-more': 'Person’s like × 1.5',
  'person-twice': 'Person’s like × 2',
  'person-only': 'Without the viewer’s like',
  'half-steep': 'Both likes × 0.5',
  'twice-steep': 'Both likes × 2',
};

/** Each formula with a bar and its interval; the bars are left out where there is no room. */
function Bars({ formulas }: Pick<FormulaEstimates, 'formulas'>) {
  const most = Math.max(...formulas.map(({ high }) => high));
  const at = (value: number) => `${(100 * value) / most}%`;
  return (
    <table className={classes.estimates} aria-label={t('Formulas')}>
      <thead>
        <tr>
          <th scope="col">{t('Formula')}</th>
          <th scope="col">{t('Matches per 100 cards')}</th>
          <th scope="col">{t('90 % interval')}</th>
        </tr>
      </thead>
      <tbody>
        {formulas.map(({ formula, matches, low, high }) => (
          <tr key={formula} data-used={formula === 'shipped'}>
            <th scope="row">{t(names[formula])}</th>
            <td>
              <svg className={classes.range} focusable="false" aria-hidden="true">
                <rect width={at(matches)} height="100%" rx="3" />
                <line x1={at(low)} x2={at(high)} y1="50%" y2="50%" />
              </svg>
              {matches.toFixed(2)}
            </td>
            <td>{t('{low} to {high}', { low: low.toFixed(2), high: high.toFixed(2) })}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** What other formulas would have brought, as estimated from a sample of decks. */
export function Estimates({ estimates: { needs, decks, formulas, estimatedAt } }: { estimates: FormulaEstimates }) {
  return (
    <div className={classes.panel}>
      <Panel
        title={t('What other formulas would bring')}
        lead={t(
          'How much each like counts in the order of cards. Estimated from decisions about cards of the formula in use.',
        )}
      >
        {formulas.length === 0 ? (
          <EmptyState
            text={t('Too few decks for an estimate')}
            hint={t(
              'The sample has {decks} of {most} decks whose matches are known. At least {most} are needed, with {matches} matches.',
              {
                decks: formatNumber(decks),
                most: formatNumber(needs.decks),
                matches: formatNumber(needs.matches),
              },
            )}
          />
        ) : (
          <Bars formulas={formulas} />
        )}
        <p className={classes.note}>
          {formulas.length > 0 && `${t('From {count} sampled decks.', { count: formatNumber(decks) })} `}
          {t(
            'Estimates can’t show congestion, how inboxes fill when everyone gets another formula: only a trial by city and week (switchback) can.',
          )}
          {estimatedAt !== null && (
            <>
              {' '}
              {t('Estimated')} <Time at={estimatedAt} />
            </>
          )}
        </p>
      </Panel>
    </div>
  );
}
