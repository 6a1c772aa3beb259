import { IconArrowBackUp, IconHeart, IconMessageHeart, IconX } from '@tabler/icons-react';
import { memberName } from '../../../ui/text/person.ts';
import { t } from '../../../ui/text/text.ts';
import type { DrawnCard } from './card-words.ts';
import classes from './DeckActions.module.css';
import type { SwipeWay } from './use-swipe.ts';

/** From this number on, the remaining likes are shown. */
const tellFrom = 10;

interface DeckActionsProps {
  card: DrawnCard;
  remainingLikes: number | null | undefined;
  onDecide: (way: SwipeWay) => void;
  onNote: () => void;
  onUndo: () => void;
}

/** What can be done about the person on top; pass is left and like is right, as the card is thrown. */
export function DeckActions({ card, remainingLikes, onDecide, onNote, onUndo }: DeckActionsProps) {
  const name = memberName(card.user);
  const isAlert = typeof remainingLikes === 'number' && remainingLikes <= tellFrom;
  return (
    <div className={classes.foot}>
      <div role="group" className={classes.actions} aria-label={t('Your decision')}>
        <button type="button" className={classes.action} onClick={onUndo}>
          <IconArrowBackUp size={22} stroke={2} aria-hidden="true" />
          {t('Undo')}
        </button>
        <button
          type="button"
          className={classes.action}
          data-way="pass"
          aria-label={t('Pass on {name}', { name })}
          onClick={() => onDecide('pass')}
        >
          <IconX size={28} stroke={2.25} aria-hidden="true" />
          {t('Pass')}
        </button>
        <button
          type="button"
          className={classes.action}
          data-way="like"
          aria-label={t('Like {name}', { name })}
          onClick={() => onDecide('like')}
        >
          <IconHeart size={28} stroke={2} aria-hidden="true" />
          {t('Like')}
        </button>
        <button
          type="button"
          className={classes.action}
          aria-label={t('Note with a like for {name}', { name })}
          onClick={onNote}
        >
          <IconMessageHeart size={22} stroke={1.75} aria-hidden="true" />
          {t('Note')}
        </button>
      </div>
      <p role="status" className={classes.left}>
        {isAlert && t('{count, plural, one {# like} other {# likes}} left today', { count: remainingLikes })}
      </p>
    </div>
  );
}
