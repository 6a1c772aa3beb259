import type { MessagePicture, MessageVoice } from '#contract/messages/message-parts.ts';
import type { MessageView } from '#contract/messages/messages.ts';
import type { PictureViews } from '#platform/session/pictures.ts';
import type { StoredMedia, StoredPhoto, StoredVoice } from '#platform/db/json.ts';

/** The viewer and conversation that the addresses of media are signed for. */
const signedFor = (conversationId: string) => `messages ${conversationId}`;

/** The media of a message, as one of the two people sees them. */
export function toMediaViews(
  row: { conversation_id: string; sender_id: string; media: readonly StoredMedia[] },
  viewerId: string,
  viewing: { sharesActivity: boolean; pictures: Pick<PictureViews, 'addresses'>; now: Date },
): Pick<MessageView, 'pictures' | 'voice'> {
  const isOwn = row.sender_id === viewerId;
  const addressOf = viewing.pictures.addresses.forSet(viewerId, signedFor(row.conversation_id), viewing.now);
  const pictures = row.media.flatMap((one) => {
    if (one.kind !== 'picture') return [];
    const isServed = one.isOnce !== true && one.isRemoved !== true;
    return toPicture(one, {
      isOwn,
      showsOpening: !isOwn || (viewing.sharesActivity && one.isOpenHidden !== true),
      url: isServed ? addressOf(one.key, 'large') : null,
      thumbnailUrl: isServed ? addressOf(one.key, 'thumbnail') : null,
    });
  });
  const voice = row.media.find((one) => one.kind === 'voice');
  return {
    ...(pictures.length > 0 && { pictures }),
    ...(voice !== undefined && { voice: toVoice(voice, voice.isRemoved === true ? null : addressOf(voice.key, null)) }),
  };
}

const toVoice = ({ id, durationMs, peaks }: StoredVoice, url: string | null): MessageVoice => ({
  _id: id,
  url,
  durationMs,
  peaks,
});

function toPicture(
  {
    id,
    width,
    height,
    placeholder,
    isOnce = false,
    isOpened = false,
    isAmongFirst = false,
    isCovered = false,
    isUnchecked = false,
  }: StoredPhoto,
  shown: { isOwn: boolean; showsOpening: boolean; url: string | null; thumbnailUrl: string | null },
): MessagePicture {
  const { isOwn, showsOpening, url, thumbnailUrl } = shown;
  return {
    _id: id,
    url,
    thumbnailUrl,
    width,
    height,
    placeholder: isOnce ? '' : placeholder,
    isOnce,
    isOpened: isOpened && showsOpening,
    ...(isAmongFirst && !isOwn && { isAmongFirst }),
    ...((isCovered || isUnchecked) && !isOwn && { isCovered: true, ...(!isCovered && { isUnchecked }) }),
  };
}
