import { Button } from '@mantine/core';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { memo, type ReactNode, useEffect, useId, useRef } from 'react';
import { Avatar } from '../../../ui/data/Avatar.tsx';
import { memberName } from '../../../ui/text/person.ts';
import { PictureGallery } from '../../../ui/data/PictureGallery.tsx';
import { Tag } from '../../../ui/data/Tag.tsx';
import { t } from '../../../ui/text/text.ts';
import { useStable } from '../../../ui/loading/use-stable.ts';
import { cardPlace, cardTitle, Compatibility, type DrawnCard, Reasons } from './CardText.tsx';
import classes from '../discovery.module.css';
import { flyOff, release, type SwipeWay, useSwipe } from './use-swipe.ts';

interface DeckCardProps {
  card: DrawnCard;
  /** From the top, 0; null for one that leaves. */
  place: number | null;
  /** The direction in which it leaves. */
  way: SwipeWay | null;
  pictureIndex: number;
  onPicture: (card: DrawnCard, index: number) => void;
  onPictureFailed: () => void;
  isOpen: boolean;
  onToggle: () => void;
  onWhy: (card: DrawnCard) => void;
  onThrow: (way: SwipeWay) => void;
  /** It is out of sight. */
  onGone: (card: DrawnCard) => void;
  /** All that they tell of themselves. */
  details: ReactNode;
}

/** The part below the picture of the top card. */
function CardWords(props: Pick<DeckCardProps, 'card' | 'isOpen' | 'onToggle' | 'onWhy' | 'details'>) {
  const { card, isOpen, onToggle, onWhy, details } = props;
  const id = useId();
  const name = memberName(card.user);
  const Chevron = isOpen ? IconChevronUp : IconChevronDown;
  return (
    <div className={classes.words} data-words>
      <Compatibility score={card.compatibilityScore} band={card.compatibilityBand} common={card.commonAnswers} />
      <Reasons reasons={card.reasons} name={name} />
      <div className={classes.buttons}>
        <Button
          variant="default"
          size="sm"
          aria-expanded={isOpen}
          aria-controls={id}
          rightSection={<Chevron size={18} stroke={1.75} aria-hidden="true" />}
          onClick={onToggle}
        >
          {t('More about {name}', { name })}
        </Button>
        <Button variant="subtle" color="gray" size="sm" onClick={() => onWhy(card)}>
          {t('Why am I seeing this?')}
        </Button>
      </div>
      <div id={id} hidden={!isOpen}>
        {isOpen && details}
      </div>
    </div>
  );
}

/** One person of the deck: the top card with all details, cards beneath as a picture only. */
export const DeckCard = memo(function DeckCard(props: DeckCardProps) {
  const { card, place, way, pictureIndex, onPicture, onPictureFailed, onThrow } = props;
  const titleId = useId();
  const element = useRef<HTMLElement>(null);
  const gone = useStable(() => props.onGone(card));
  const isOnTop = place === 0;
  const name = memberName(card.user);
  const where = cardPlace(card);
  useSwipe(element, isOnTop, onThrow);

  useEffect(() => {
    const leaving = element.current;
    if (way === null || leaving === null) return;
    const flight = flyOff(leaving, way);
    // Cancelled where they are back before they were out of sight.
    flight.finished.then(gone, () => undefined);
    return () => {
      flight.cancel();
      release(leaving);
    };
  }, [way, gone]);

  return (
    <article
      ref={element}
      className={classes.card}
      data-place={place ?? 'leaving'}
      aria-labelledby={titleId}
      aria-hidden={!isOnTop || undefined}
      inert={!isOnTop}
    >
      <PictureGallery
        name={name}
        pictures={card.user.pictures}
        fallback={<Avatar id={card.user._id} name={name} picture={null} size={160} />}
        onFailed={onPictureFailed}
        index={pictureIndex}
        onIndex={(index) => onPicture(card, index)}
        pagesSideways={false}
        hasDots={false}
      >
        <div className={classes.face} dir="auto">
          <h2 id={titleId} className={classes.title}>
            <bdi>{cardTitle(card)}</bdi>
          </h2>
          {where !== '' && <p className={classes.where}>{where}</p>}
          {card.user.isOnline === true && (
            <Tag tone="positive" hasDot>
              {t('Online')}
            </Tag>
          )}
        </div>
        <span className={classes.label} data-label="pass" aria-hidden="true">
          {t('PASS')}
        </span>
        <span className={classes.label} data-label="like" aria-hidden="true">
          {t('LIKE')}
        </span>
      </PictureGallery>
      {isOnTop && <CardWords {...props} />}
    </article>
  );
});
