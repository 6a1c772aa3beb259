import type { MessageDescriptor } from '@lingui/core';
import type { Language } from '#contract/languages.ts';
import type { TextKind } from '#contract/service/text-kinds.ts';
import type { ReadingSection } from '../../features/service/shipped/section.ts';
import { wordsIn } from '../../ui/text/catalogues.ts';

async function sectionsOf(kind: TextKind): Promise<readonly ReadingSection[]> {
  switch (kind) {
    case 'faq':
      return (await import('../../features/service/shipped/faq.ts')).faqTexts;
    case 'safety':
      return (await import('../../features/service/shipped/safety.ts')).safetyTexts;
    case 'privacy': {
      const { privacyTexts, privacySupplement } = await import('../../features/service/shipped/privacy.ts');
      return [...privacyTexts, ...privacySupplement];
    }
    case 'terms': {
      const { termsTexts, termsSupplement } = await import('../../features/service/shipped/terms.ts');
      return [...termsTexts, ...termsSupplement];
    }
  }
}

/** Characters that could start a style, a link or a tag in Markdown. */
const escaped = (text: string) => text.replaceAll(/[\\*_`[\]<]/g, (character) => `\\${character}`);

/** The product's own text in a language as Markdown, for owners to start from. */
export async function shippedText(kind: TextKind, language: Language): Promise<string> {
  const [sections, say] = await Promise.all([
    sectionsOf(kind),
    wordsIn(language, ['common', 'members', 'account', 'legal']),
  ]);
  const words = (text: MessageDescriptor) => escaped(say(text));
  const blocks = sections.flatMap(({ title, paragraphs }) => [`## ${words(title)}`, ...paragraphs.map(words)]);
  return blocks.join('\n\n');
}
