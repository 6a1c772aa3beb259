import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useText } from '../../../../ui/text/text.ts';
import { rememberedOffset, rememberOffset } from './scroll-memory.ts';
import { UserCard } from './UserCard.tsx';
import { type UserListProps, useNearEnd } from './UsersTable.tsx';
import classes from './UserCards.module.css';

/** A card's usual height with the gap below it; the true one is measured. */
const cardPx = 246;
const overscanCards = 4;

/** Keeps how far the page is scrolled at this place in the history. */
function useRememberedPageScroll(place: string): void {
  useEffect(() => {
    const remember = () => rememberOffset(place, window.scrollY);
    remember();
    window.addEventListener('scroll', remember, { passive: true });
    return () => window.removeEventListener('scroll', remember);
  }, [place]);
}

/** The users as cards that scroll with the page; only those in view are in the document. */
export function UserCards({
  users,
  place,
  rowCount,
  now,
  hasMore,
  onNearEnd,
  isBusy,
  foot,
  ...actions
}: UserListProps) {
  const t = useText();
  useRememberedPageScroll(place);
  const list = useRef<HTMLUListElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const rect = list.current?.getBoundingClientRect();
    if (rect) setTop(Math.round(rect.top + window.scrollY));
  }, []);

  const virtualizer = useWindowVirtualizer({
    count: users.length,
    estimateSize: () => cardPx,
    overscan: overscanCards,
    scrollMargin: top,
    initialOffset: () => rememberedOffset(place) || window.scrollY,
    getItemKey: (index) => users[index]?._id ?? index,
  });
  const cards = virtualizer.getVirtualItems();
  useNearEnd(cards.at(-1)?.index ?? 0, users.length, hasMore, onNearEnd);

  return (
    <>
      <ul
        ref={list}
        className={classes.cards}
        style={{ height: virtualizer.getTotalSize() }}
        aria-label={t('Users')}
        aria-busy={isBusy}
      >
        {cards.map(({ index, key, start }) => {
          const user = users[index];
          return (
            user && (
              <li
                key={key}
                ref={virtualizer.measureElement}
                data-index={index}
                className={classes.cardPlace}
                style={{ transform: `translateY(${start - top}px)` }}
                aria-setsize={rowCount}
                aria-posinset={index + 1}
              >
                <UserCard user={user} now={now} {...actions} />
              </li>
            )
          );
        })}
      </ul>
      {foot}
    </>
  );
}
