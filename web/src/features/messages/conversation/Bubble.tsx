import { fill } from '../../../ui/text/i18n.ts';
import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Box, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Caution, OpeningLike } from '#contract/messages/messages.ts';
import { useHiddenWordFinder } from '../../../api/hidden-words.ts';
import { Covered } from '../../../ui/data/Covered.tsx';
import { Picture } from '../../../ui/data/Picture.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { Skeleton } from '../../../ui/feedback/PageStates.tsx';
import { Well } from '../../../ui/layout/text-blocks.tsx';
import { formatTime } from '../../../ui/text/format.ts';
import { promptText } from '../../../ui/text/interest-words.ts';
import { lineOf } from '../line-of.ts';
import classes from '../messages.module.css';
import { useQuotedMessage } from '../queries.ts';

/** The warning shown to the recipient, by what the message contains. */
const cautionTexts: Record<Caution, MessageDescriptor> = {
  money: msg`Careful: never send money to someone you haven't met.`,
  contact: msg`Careful: keep chatting here until you know each other. People who want to move to another app quickly may have bad intentions.`,
  link: msg`Careful: only open a link if you know where it leads.`,
};

export interface BubbleProps {
  isOwn: boolean;
  /** The sender's name, for people who cannot see on which side the bubble is. */
  by: string;
  /** Null if the message was deleted; empty only with media. */
  text: string | null;
  /** The message's photos or voice note, shown above the text. */
  media?: ReactNode;
  /** Describes the photos or the voice note when there is no text. */
  summary?: string;
  /** The start of the ids of its parts, so that other elements can be described by them. */
  partsId?: string;
  /** Time and state, shown below the text. */
  meta: ReactNode;
  /** The exact time, shown as a tooltip. */
  title?: string;
  /** One of the member's hidden words is in the text. */
  isCovered?: boolean;
  /** Called when the bubble is pressed. The same action must be reachable by keyboard. */
  onPress?: () => void;
  caution?: Caution | null;
  /** Shown above the text: the message that this one answers. */
  quote?: ReactNode;
  /** Shown at the lower edge of the bubble: the reactions. */
  footer?: ReactNode;
  /** Shown next to the bubble: the button that opens its actions. */
  aside?: ReactNode;
  /** Shown below the bubble. */
  children?: ReactNode;
}

/** The ids of a bubble's sender, text and line below: together they describe the message. */
export const partIds = (id: string) => [`${id}-by`, `${id}-text`, `${id}-meta`];

/** One message. The viewer's own messages are at the end of the line, received ones at its start. */
export function Bubble(props: BubbleProps) {
  const { isOwn, by, text, media, summary, partsId, meta, title, isCovered = false, onPress } = props;
  const [byId, textId, metaId] = partsId === undefined ? [] : partIds(partsId);
  const { caution = null, quote, footer, aside, children } = props;
  return (
    <div className={classes.message} data-own={isOwn || undefined}>
      <div className={classes.line}>
        <div
          role="presentation"
          className={classes.bubble}
          data-deleted={text === null || undefined}
          title={title}
          onClick={onPress}
        >
          <span id={byId} className="visually-hidden">
            {t`${{ name: by }}:`}{' '}
          </span>
          {text !== null && quote}
          {media}
          <p id={textId} className={classes.text} dir="auto" hidden={text === ''}>
            <Covered isHidden={isCovered}>{text === '' ? summary : (text ?? t`Message deleted`)}</Covered>
          </p>
          <p id={metaId} className={classes.meta}>
            {meta}
          </p>
        </div>
        {aside}
      </div>
      {text !== null && footer}
      {caution !== null && (
        <Notice kind="warning" isNews={false} mt="0.3rem" maw="min(36rem, 88%)">
          {t(cautionTexts[caution])}
        </Notice>
      )}
      {children}
    </div>
  );
}

type LikedKind = NonNullable<OpeningLike['on']>['kind'];

/** A sentence for each part of a profile that the member has liked. */
const ownLikeTexts: Record<LikedKind, MessageDescriptor> = {
  picture: msg({ message: "You liked {name}'s picture" }),
  prompt: msg({ message: "You liked {name}'s answer" }),
};
const theirLikeTexts: Record<LikedKind, MessageDescriptor> = {
  picture: msg({ message: '{name} liked your picture' }),
  prompt: msg({ message: '{name} liked your answer' }),
};

interface OpeningProps {
  likes: readonly OpeningLike[];
  ownId: string;
  /** The other person's name. */
  name: string;
  /** Renders the link to report the other person's note. */
  reportOf: (note: string) => ReactNode;
}

/** Shows what led to the match: what each of the two liked, and the note that they sent with it. */
export function Opening({ likes, ownId, name, reportOf }: OpeningProps) {
  const isHidden = useHiddenWordFinder();
  return (
    <Stack role="group" className={classes.opening ?? ''} aria-label={t`What led to this match`}>
      {likes.map(({ from, likedAt, note, on }) => {
        const isOwn = from === ownId;
        const texts = isOwn ? ownLikeTexts : theirLikeTexts;
        return (
          <div key={from} className={classes.message} data-own={isOwn || undefined}>
            <Text mb="0.35rem" c="dimmed" fz="small">
              {on === null ? (isOwn ? t`You liked ${name}` : t`${name} liked you`) : fill(texts[on.kind], { name })}
            </Text>
            {on?.kind === 'prompt' && (
              <Well component="blockquote" maw="min(22rem, 80%)" radius="lg" fz="small" className={classes.liked}>
                {promptText(on.prompt)}
                <Text dir="auto" ff="heading" fz="lead">
                  {on.answer}
                </Text>
              </Well>
            )}
            {on?.kind === 'picture' && (
              <div className={classes.likedPicture}>
                <Picture picture={on.picture} alt={isOwn ? t`The picture of ${name} you liked` : t`Your picture`} />
              </div>
            )}
            {note !== null && (
              <div className={classes.line}>
                <div className={classes.bubble} title={formatTime(likedAt)}>
                  <span className="visually-hidden">{t`${{ name: isOwn ? t`You` : name }}:`} </span>
                  <p className={classes.text} dir="auto">
                    <Covered isHidden={!isOwn && isHidden(note)}>{note}</Covered>
                  </p>
                </div>
              </div>
            )}
            {note !== null && !isOwn && reportOf(note)}
          </div>
        );
      })}
    </Stack>
  );
}

interface QuotedMessageProps {
  matchId: string;
  seq: number;
  ownId: string;
  /** The sender's name, if it is known. */
  name: string | null;
}

/**
 * Quotes the message that is about to be reported, so that the right one is reported; nothing if it cannot be loaded.
 */
export function QuotedMessage({ matchId, seq, ownId, name }: QuotedMessageProps) {
  const { data: message, isFetching } = useQuotedMessage(matchId, seq, ownId);
  if (!message) return isFetching && <Skeleton height="6.5rem" />;
  return (
    <Box component="blockquote" mb="1.5rem" aria-label={t`The message you are reporting`}>
      <Bubble isOwn={false} by={name ?? t`This person`} text={lineOf(message)} meta={formatTime(message.sentAt)} />
    </Box>
  );
}
