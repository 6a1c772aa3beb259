import { type MessageDescriptor, setupI18n } from '@lingui/core';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import { verbatim } from '#contract/text.ts';

const i18n = setupI18n({ locale: 'en', messages: { en: {} } }).setMessagesCompiler(compileMessage);

/** A text for people, in English, with its placeholders filled in. */
export function textOf(text: MessageDescriptor, given: Record<string, unknown> = text.values ?? {}): string {
  const values = Object.entries(given).map(([name, value]) => [
    name,
    typeof value === 'string' ? verbatim(value) : value,
  ]);
  return i18n._({ ...text, values: Object.fromEntries(values) as Record<string, unknown> });
}
