import { Text, type TextProps } from '@mantine/core';
import type { ReactNode } from 'react';

interface WordsProps extends TextProps {
  /** Typed by someone, in any script. */
  dir?: 'auto';
  role?: 'status';
  component?: 'li' | 'p';
  children: ReactNode;
}

/** No wider than its text, so that one from right to left begins below its heading as well. */
const ofItsWidth = { w: 'fit-content', maw: '100%' } as const;

/** A text as someone typed it, with its lines. */
export function Words({ style, ...text }: Omit<WordsProps, 'dir'>) {
  return <Text dir="auto" lh={1.5} {...ofItsWidth} style={[{ whiteSpace: 'pre-wrap' }, style]} {...text} />;
}

/** Text that supports another. */
export function Soft({ dir, ...text }: WordsProps) {
  return <Text c="dimmed" fz="note" {...(dir && { dir, ...ofItsWidth })} {...text} />;
}
