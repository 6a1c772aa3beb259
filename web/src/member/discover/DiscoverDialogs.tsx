import { Suspense } from 'react';
import type { Picture } from '#contract/media/picture.ts';
import type { DrawnCard } from '../../features/discovery/deck/card-words.ts';
import type { LikeWords } from '../../features/likes/decisions.ts';
import type { KeyList } from '../../ui/feedback/KeysDialog.tsx';
import { keysDialog, noteDialog, whyDialog } from './discover-parts.ts';

/** The dialog that is open over the deck. */
export type Opened =
  { what: 'why'; card: DrawnCard } | { what: 'note'; card: DrawnCard; picture: Picture | undefined } | { what: 'keys' };

const deckKeys: KeyList = [
  ['←', 'Pass'],
  ['→', 'Like'],
  ['↑', 'Show the full profile'],
  ['↓', 'Show less'],
  ['Space', 'Next picture'],
  ['Backspace', 'Undo'],
  ['?', 'Show these keys'],
];

interface DiscoverDialogsProps {
  opened: Opened | null;
  onLike: (user: DrawnCard['user'], words: LikeWords) => void;
  onOrder: () => void;
  onClose: () => void;
}

/** Dialogs over the deck: why a person is shown, a like with a note, or the keyboard shortcuts. */
export function DiscoverDialogs({ opened, onLike, onOrder, onClose }: DiscoverDialogsProps) {
  return (
    <Suspense>
      {opened?.what === 'why' && <whyDialog.Part card={opened.card} onOrder={onOrder} onClose={onClose} />}
      {opened?.what === 'note' && (
        <noteDialog.Part
          user={opened.card.user}
          picture={opened.picture}
          onSend={(words) => {
            onClose();
            onLike(opened.card.user, words);
          }}
          onClose={onClose}
        />
      )}
      {opened?.what === 'keys' && <keysDialog.Part keys={deckKeys} hasForms={false} onClose={onClose} />}
    </Suspense>
  );
}
