import type { MessageDescriptor } from '@lingui/core';
import type { PartName } from '#contract/service/parts.ts';

/** A paragraph; one about a part of the service is left out while the owner has that switched off. */
export type Paragraph = MessageDescriptor & { part?: PartName };

/** A section with a heading. */
export interface ReadingSection {
  title: MessageDescriptor;
  paragraphs: readonly Paragraph[];
}
