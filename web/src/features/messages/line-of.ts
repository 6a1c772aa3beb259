import { plural, t } from '@lingui/core/macro';
import type { ConversationView, MessageView } from '#contract/messages/messages.ts';
import { rightToLeft } from '../../ui/text/text.ts';

/** A message in one line, for lists, announcements and quotes: its text, or a description of its media. */
export function lineOf({ text, pictures = [], voice }: Pick<MessageView, 'text' | 'pictures' | 'voice'>): string {
  if (text === null) return t`Message deleted`;
  if (voice !== undefined) return text === '' ? t`🎤 Voice message` : t`🎤 ${text}`;
  if (pictures.length === 0) return text;
  if (text !== '') return t`📷 ${text}`;
  return t`${plural({ count: pictures.length }, { one: '📷 Photo', other: '📷 # photos' })}`;
}

/** The direction of that line: of the message, not of the words before it, so that its beginning is not cut off. */
export function directionOfLine({ lastMessage, user }: Pick<ConversationView, 'lastMessage' | 'user'>) {
  const [letter] = /\p{L}/u.exec(lastMessage?.text ?? '') ?? [];
  if (letter === undefined || lastMessage?.from === user._id) return 'auto';
  return rightToLeft.test(letter) ? 'rtl' : 'ltr';
}

/** The last message of a conversation in one line; `isHidden` tells whether a text has a hidden word. */
export function lastLineOf(
  { lastMessage, user }: Pick<ConversationView, 'lastMessage' | 'user'>,
  isHidden: (text: string) => boolean,
): string {
  if (lastMessage?.text == null) return t`Message deleted`;
  if (lastMessage.from === user._id && isHidden(lastMessage.text)) return t`Hidden by your words`;
  const text = lineOf(lastMessage);
  return lastMessage.from === user._id ? text : t`You: ${text}`;
}
