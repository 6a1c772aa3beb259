import { sandboxCards } from '#contract/subscriptions/payments-sandbox.ts';
import { Disclosure } from '../../../ui/data/Disclosure.tsx';
import { useText } from '../../../ui/text/text.ts';
import { grouped } from './test-card.ts';
import classes from './TestCards.module.css';

/** The test cards and what each of them does; one of them can be put into the fields. */
export function TestCards({ onUse }: { onUse: (number: string) => void }) {
  const t = useText();
  return (
    <Disclosure title={t('Test cards')} heading="h3">
      <ul className={classes.cards}>
        {sandboxCards.map(({ number, what }) => (
          <li key={number} className={classes.card}>
            <bdi className={classes.number}>{grouped(number)}</bdi>
            <span className={classes.what}>{t(what)}</span>
            <button
              type="button"
              className={classes.use}
              aria-label={t('Use {number}', { number: grouped(number) })}
              onClick={() => onUse(number)}
            >
              {t('Use')}
            </button>
          </li>
        ))}
      </ul>
    </Disclosure>
  );
}
