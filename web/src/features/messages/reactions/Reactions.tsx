import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { ActionIcon, Group } from '@mantine/core';
import { type MessageView, type ReactionEmoji, reactionEmojis } from '#contract/messages/messages.ts';
import classes from '../talk.module.css';

/** The names of the reactions for screen readers. */
const names: Record<ReactionEmoji, MessageDescriptor> = {
  '❤️': msg`Love`,
  '😂': msg`Laughing`,
  '😮': msg`Surprised`,
  '😢': msg`Sad`,
  '👍': msg`Thumbs up`,
  '🔥': msg`Fire`,
};

export const reactionName = (emoji: ReactionEmoji) => t(names[emoji]);

interface ReactionsProps {
  reactions: NonNullable<MessageView['reactions']>;
  ownId: string;
  /** The other person's name. */
  name: string;
}

/** The reactions to a message, at the lower edge of its bubble. */
export function Reactions({ reactions, ownId, name }: ReactionsProps) {
  return (
    <p className={classes.reactions}>
      {reactions.map(({ from, emoji }) => (
        <span key={from} className={classes.reaction} data-own={from === ownId || undefined}>
          <span aria-hidden="true">{emoji}</span>
          <span className="visually-hidden">
            {from === ownId
              ? t`You reacted: ${{ reaction: reactionName(emoji) }}`
              : t`${name} reacted: ${{ reaction: reactionName(emoji) }}`}
          </span>
        </span>
      ))}
    </p>
  );
}

interface ReactionPickerProps {
  chosen: ReactionEmoji | null;
  /** Null removes the chosen one. */
  onChoose: (emoji: ReactionEmoji | null) => void;
  onEscape: () => void;
}

/** The reactions to choose from; pressing the chosen one removes it. */
export function ReactionPicker({ chosen, onChoose, onEscape }: ReactionPickerProps) {
  return (
    <Group
      role="group"
      aria-label={t`React`}
      gap="0.15rem"
      mt="0.25rem"
      onKeyDown={({ key }) => {
        if (key === 'Escape') onEscape();
      }}
    >
      {reactionEmojis.map((emoji) => (
        <ActionIcon
          key={emoji}
          variant={emoji === chosen ? 'light' : 'subtle'}
          color="gray"
          size={44}
          fz="1.3rem"
          aria-label={reactionName(emoji)}
          aria-pressed={emoji === chosen}
          onClick={() => onChoose(emoji === chosen ? null : emoji)}
        >
          <span aria-hidden="true">{emoji}</span>
        </ActionIcon>
      ))}
    </Group>
  );
}
