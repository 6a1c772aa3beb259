import { Button } from '@mantine/core';
import { IconCreditCard } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import type { PaymentMethodView } from '#contract/subscriptions/subscriptions.ts';
import { formatExpiry } from '../../../ui/text/format-payment.ts';
import { Tag } from '../../../ui/data/Tag.tsx';
import { useLocale, useText } from '../../../ui/text/text.ts';
import { cardName } from './card-name.ts';
import classes from './KeptCards.module.css';

interface KeptCardProps {
  card: PaymentMethodView;
  onDefault: (name: string) => void;
  onRemove: (name: string) => void;
}

/** A card is good until the end of its month, wherever that ends last. */
const hasExpired = ({ expMonth, expYear }: PaymentMethodView) => Date.UTC(expYear, expMonth, 2) < Date.now();

/** One kept card; removing it is asked about in place. */
export function KeptCard({ card, onDefault, onRemove }: KeptCardProps) {
  const t = useText();
  const locale = useLocale();
  const [isAsking, setAsking] = useState(false);
  const words = useRef<HTMLParagraphElement>(null);
  const name = cardName(card, t);

  useEffect(() => {
    if (isAsking) words.current?.focus();
  }, [isAsking]);

  return (
    <li className={classes.card}>
      <IconCreditCard size={24} stroke={1.5} aria-hidden="true" />
      <div className={classes.text}>
        <p ref={words} tabIndex={-1} className={classes.name}>
          {isAsking ? t('Remove {card}?', { card: name }) : name}{' '}
          {card.isDefault && <Tag tone="positive">{t('Pays')}</Tag>}{' '}
          {hasExpired(card) && <Tag tone="attention">{t('Expired')}</Tag>}
        </p>
        <p className={classes.expiry}>{t('Expires {month}', { month: formatExpiry(card, locale) })}</p>
      </div>
      <div className={classes.buttons}>
        {isAsking ? (
          <>
            <Button
              size="xs"
              onClick={() => {
                setAsking(false);
                onRemove(name);
              }}
            >
              {t('Yes, remove it')}
            </Button>
            <Button variant="default" size="xs" onClick={() => setAsking(false)}>
              {t('Keep it')}
            </Button>
          </>
        ) : (
          <>
            {!card.isDefault && (
              <Button
                variant="default"
                size="xs"
                aria-label={t('Make default: {card}', { card: name })}
                onClick={() => onDefault(name)}
              >
                {t('Make default')}
              </Button>
            )}
            <Button
              variant="default"
              size="xs"
              aria-label={t('Remove {card}', { card: name })}
              onClick={() => setAsking(true)}
            >
              {t('Remove')}
            </Button>
          </>
        )}
      </div>
    </li>
  );
}
