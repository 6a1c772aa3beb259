import { t } from '@lingui/core/macro';
import { useBrand } from '../../brand.ts';
import type { Paragraph } from './shipped/section.ts';

/** Paragraphs of the product's own texts, without those about a part that the owner has switched off. */
export function Paragraphs({ of: paragraphs }: { of: readonly Paragraph[] }) {
  const { parts = {} } = useBrand();
  return paragraphs
    .filter(({ part }) => part === undefined || parts[part] !== false)
    .map((paragraph) => <p key={paragraph.id}>{t(paragraph)}</p>);
}
