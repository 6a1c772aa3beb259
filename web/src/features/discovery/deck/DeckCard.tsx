import { t } from '@lingui/core/macro';
import type { LikedPart } from '#contract/connections.ts';
import type { CardView } from '#contract/discovery.ts';
import { Button, Group, Text, Title } from '@mantine/core';
import { IconMessageHeart, IconSparkles } from '@tabler/icons-react';
import { type Dispatch, memo, type ReactNode, type SetStateAction, useEffect, useId, useRef } from 'react';
import { Avatar, movingPicture } from '../../../ui/data/Avatar.tsx';
import { AboutPersonButton, PartLikeButton, PersonHero } from '../../../ui/data/Picture.tsx';
import { Tag } from '../../../ui/data/Tag.tsx';
import { LazyBoundary } from '../../../ui/loading/LazyBoundary.tsx';
import { memberName } from '../../../ui/text/person.ts';
import { useLanguage } from '../../../ui/text/use-language.ts';
import classes from './deck.module.css';
import { cardPlace, cardTitle, Compatibility, ownReasons, Reasons, reasonText } from './CardText.tsx';
import { flyOff, release, type SwipeWay } from './swipe.ts';

/** What the page can open over the deck. */
export type Opened =
  | { what: 'why' | 'report'; card: CardView }
  | { what: 'note'; card: CardView; on: LikedPart | undefined }
  | { what: 'keys' };

/** A card that is flying off. */
export interface Leaving {
  card: CardView;
  way: SwipeWay;
}

/** All callbacks are state setters, which never change, so a swipe renders only the new card. */
interface DeckCardProps {
  card: CardView;
  /** The position from the top, starting at 0; null for a card that is leaving. */
  place: number | null;
  /** The direction in which the card leaves. */
  way: SwipeWay | null;
  onOpen: (opened: Opened) => void;
  /** Sets which card is leaving; null once it is out of sight. */
  setLeaving: Dispatch<SetStateAction<Leaving | null>>;
  /** Whether the text is rendered. */
  hasWords: boolean;
  /** The rest of the profile. */
  details: ReactNode;
}

/** The text below or next to the picture of the top card. */
function CardWords({ card, onOpen, details }: Pick<DeckCardProps, 'card' | 'onOpen' | 'details'>) {
  const name = memberName(card.user);
  return (
    <div className={classes.words} data-words>
      <Compatibility band={card.compatibilityBand} />
      <Reasons card={card} name={name} />
      {/* Rendered together, so that nothing moves when the details arrive. */}
      <LazyBoundary>
        {details}
        <Group justify="center">
          <Button variant="subtle" color="gray" size="sm" onClick={() => onOpen({ what: 'why', card })}>
            {t`Why am I seeing this?`}
          </Button>
        </Group>
      </LazyBoundary>
    </div>
  );
}

interface CardFaceProps extends Pick<DeckCardProps, 'card' | 'onOpen'> {
  titleId: string;
}

/**
 * The picture with name and place over it. It looks the same at every position in the deck, so it is rendered only
 * once.
 */
const CardFace = memo(function CardFace({ card, titleId, onOpen }: CardFaceProps) {
  useLanguage();
  const name = memberName(card.user);
  const where = cardPlace(card);
  const [first] = ownReasons(card);
  const [picture] = card.user.pictures;
  // Opens a like with a note about the first picture, or about the person if there is none.
  const openNote = () => onOpen({ what: 'note', card, on: picture && { kind: 'picture', publicId: picture.publicId } });
  return (
    <PersonHero
      name={name}
      pictures={card.user.pictures}
      fallback={<Avatar id={card.user._id} name={name} picture={null} size={160} />}
    >
      <div className={classes.face}>
        <Title id={titleId} order={2} fz="min(clamp(1.9rem, 1.6rem + 1.6vw, 2.5rem), 13vw)">
          {cardTitle(card)}
        </Title>
        {where !== '' && (
          <Text mt="0.15rem" mb="0.4rem">
            {where}
          </Text>
        )}
        {first !== undefined && (
          <p className={classes.firstReason} aria-hidden="true">
            <IconSparkles size={16} stroke={1.75} />
            {reasonText(first, name)}
          </p>
        )}
        {card.user.isOnline === true && (
          <Tag tone="positive" hasDot>
            {t`Online`}
          </Tag>
        )}
      </div>
      {picture ? (
        <PartLikeButton text={t`Like picture ${{ number: 1 }} of ${name}`} onPress={openNote} />
      ) : (
        <PartLikeButton text={t`Note with a like for ${name}`} Icon={IconMessageHeart} onPress={openNote} />
      )}
      <AboutPersonButton text={t`Report or block ${name}`} onPress={() => onOpen({ what: 'report', card })} />
      <span className={classes.label} data-label="pass" aria-hidden="true">
        {t`PASS`}
      </span>
      <span className={classes.label} data-label="like" aria-hidden="true">
        {t`LIKE`}
      </span>
    </PersonHero>
  );
});

/** One person in the deck: the top card with all details, the cards below only as a picture. */
export const DeckCard = memo(function DeckCard(props: DeckCardProps) {
  useLanguage();
  const { card, place, way, onOpen, setLeaving } = props;
  const titleId = useId();
  const element = useRef<HTMLElement>(null);
  const isOnTop = place === 0;

  useEffect(() => {
    const leaving = element.current;
    if (way === null || leaving === null) return;
    const flight = flyOff(leaving, way);
    // An undone decision may bring the card back before it is out of sight; then this does nothing.
    const leave = () => setLeaving((before) => (before?.card === card ? null : before));
    flight.finished.then(leave, () => undefined);
    return () => {
      flight.cancel();
      release(leaving);
    };
  }, [way, card, setLeaving]);

  return (
    <article
      ref={element}
      className={classes.card}
      data-place={place ?? 'leaving'}
      aria-labelledby={titleId}
      aria-hidden={!isOnTop || undefined}
      inert={!isOnTop}
    >
      <div className={classes.photo} style={isOnTop ? movingPicture(card.user._id) : undefined}>
        <CardFace card={card} titleId={titleId} onOpen={onOpen} />
      </div>
      {props.hasWords && <CardWords {...props} />}
    </article>
  );
});
