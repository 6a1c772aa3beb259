import type { MessageView } from '#contract/messages.ts';
import { t } from '../../ui/text/text.ts';

/** A message in one line, for lists, announcements and quotes: its text, or what it has besides. */
export function lineOf({ text, pictures = [] }: Pick<MessageView, 'text' | 'pictures'>): string {
  if (text === null) return t('Message deleted');
  if (pictures.length === 0) return text;
  if (text !== '') return t('📷 {text}', { text });
  return t('{count, plural, one {📷 Photo} other {📷 # photos}}', { count: pictures.length });
}
