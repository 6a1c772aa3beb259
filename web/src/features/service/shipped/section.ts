import type { MessageDescriptor } from '@lingui/core';

/** A section with a heading. */
export interface ReadingSection {
  title: MessageDescriptor;
  paragraphs: readonly MessageDescriptor[];
}
