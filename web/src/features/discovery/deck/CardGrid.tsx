import { t } from '@lingui/core/macro';
import type { CardView } from '#contract/discovery.ts';
import { IconArrowBackUp, IconHeart, IconX } from '@tabler/icons-react';
import { Box, Button, Paper, Stack, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { Avatar } from '../../../ui/data/Avatar.tsx';
import { memberName } from '../../../ui/text/person.ts';
import { ignoreRepeat } from '../../../ui/form/double-click.ts';
import { passingFocus } from '../../../ui/layout/Page.tsx';
import { Picture } from '../../../ui/data/Picture.tsx';
import { cardPlace, cardTitle, Compatibility, Reasons } from './CardText.tsx';
import classes from './cards.module.css';
import type { SwipeWay } from './swipe.ts';

function GridCard({ card, onDecide }: { card: CardView; onDecide: (way: SwipeWay) => void }) {
  const { user } = card;
  const name = memberName(user);
  const where = cardPlace(card);
  const [picture] = user.pictures;
  const initial = <Avatar id={user._id} name={name} picture={null} size={120} />;
  return (
    <Paper component="li" style={{ overflow: 'hidden' }}>
      <Stack gap={0} h="100%">
        <div className={classes.picture}>
          {picture ? <Picture picture={picture} alt="" fallback={initial} /> : initial}
        </div>
        <Stack gap="0.6rem" flex={1} py="0.9rem" px="1rem">
          <h2 className={classes.gridTitle}>
            <Link to={`/app/members/${user._id}`} viewTransition>
              {cardTitle(card)}
            </Link>
          </h2>
          {where !== '' && <Text c="dimmed">{where}</Text>}
          <Compatibility band={card.compatibilityBand} />
          <Reasons card={card} name={name} />
        </Stack>
        <div className={classes.gridActions}>
          <Button
            variant="default"
            aria-label={t`Pass on ${name}`}
            leftSection={<IconX size={20} stroke={2} aria-hidden="true" />}
            onClick={() => onDecide('pass')}
          >
            {t`Pass`}
          </Button>
          <Button
            aria-label={t`Like ${name}`}
            leftSection={<IconHeart size={20} stroke={2} aria-hidden="true" />}
            onClick={() => onDecide('like')}
          >
            {t`Like`}
          </Button>
        </div>
      </Stack>
    </Paper>
  );
}

interface CardGridProps {
  cards: readonly CardView[];
  onDecide: (card: CardView, way: SwipeWay) => void;
  onUndo: () => void;
  onPictureFailed: () => void;
}

/** The whole deck as a grid. Each card has buttons to decide, and a link to the profile. */
export function CardGrid({ cards, onDecide, onUndo, onPictureFailed }: CardGridProps) {
  const list = useRef<HTMLUListElement>(null);
  const decided = useRef<{ id: string; at: number } | null>(null);

  // When the focused card disappears, the focus moves to the card in its place.
  useEffect(() => {
    if (decided.current === null) return;
    const { id, at } = decided.current;
    if (cards.some(({ user }) => user._id === id)) return;
    decided.current = null;
    const items = [...(list.current?.children ?? [])];
    items[Math.min(at, items.length - 1)]?.querySelector('a')?.focus({ preventScroll: true });
  }, [cards]);

  return (
    <Box ref={passingFocus} pt="2rem" pb="3rem" px="clamp(1.5rem, 4vw, 3.5rem)">
      <Text mb="1rem">
        <Button
          variant="default"
          leftSection={<IconArrowBackUp className="mirrored" size={20} stroke={2} aria-hidden="true" />}
          onClick={onUndo}
        >
          {t`Undo`}
        </Button>
      </Text>
      <ul
        ref={list}
        className={classes.grid}
        aria-label={t`People`}
        onErrorCapture={onPictureFailed}
        onClickCapture={ignoreRepeat}
      >
        {cards.map((card, at) => (
          <GridCard
            key={card.user._id}
            card={card}
            onDecide={(way) => {
              decided.current = { id: card.user._id, at };
              onDecide(card, way);
            }}
          />
        ))}
      </ul>
    </Box>
  );
}
