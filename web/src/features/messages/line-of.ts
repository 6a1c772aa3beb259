import type { MessageView } from '#contract/messages.ts';
import { t } from '../../ui/text/text.ts';

/** A message in one line, for lists, announcements and quotes: its text, or what it has besides. */
export function lineOf({ text, pictures = [], voice }: Pick<MessageView, 'text' | 'pictures' | 'voice'>): string {
  if (text === null) return t('Message deleted');
  if (voice !== undefined) return text === '' ? t('🎤 Voice message') : t('🎤 {text}', { text });
  if (pictures.length === 0) return text;
  if (text !== '') return t('📷 {text}', { text });
  return t('{count, plural, one {📷 Photo} other {📷 # photos}}', { count: pictures.length });
}
