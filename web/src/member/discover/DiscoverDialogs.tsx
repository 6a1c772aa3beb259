import { Suspense } from 'react';
import type { Picture } from '#contract/media/picture.ts';
import type { DrawnCard } from '../../features/discovery/deck/card-words.ts';
import { decide } from '../../features/likes/decide.ts';
import type { KeyList } from '../../ui/feedback/KeysDialog.tsx';
import { keysDialog, noteDialog, whyDialog } from './discover-parts.ts';

/** What is open over the deck. */
export type Opened =
  { what: 'why'; card: DrawnCard } | { what: 'note'; card: DrawnCard; picture: Picture | undefined } | { what: 'keys' };

const deckKeys: KeyList = [
  ['←', 'Pass'],
  ['→', 'Like'],
  ['↑', 'Show everything they tell'],
  ['↓', 'Show less again'],
  ['Space', 'Next picture'],
  ['Backspace', 'Undo'],
  ['?', 'Show these keys'],
];

interface DiscoverDialogsProps {
  opened: Opened | null;
  onOrder: () => void;
  onClose: () => void;
}

/** Over the deck: why somebody is shown, a like with a note, or what the keys do. */
export function DiscoverDialogs({ opened, onOrder, onClose }: DiscoverDialogsProps) {
  return (
    <Suspense>
      {opened?.what === 'why' && <whyDialog.Part card={opened.card} onOrder={onOrder} onClose={onClose} />}
      {opened?.what === 'note' && (
        <noteDialog.Part
          user={opened.card.user}
          picture={opened.picture}
          onSend={(words) => {
            onClose();
            decide(opened.card.user, 'like', words);
          }}
          onClose={onClose}
        />
      )}
      {opened?.what === 'keys' && <keysDialog.Part keys={deckKeys} hasForms={false} onClose={onClose} />}
    </Suspense>
  );
}
