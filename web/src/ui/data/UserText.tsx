import { Text, type TextProps } from '@mantine/core';
import type { ReactNode } from 'react';

interface UserTextProps extends TextProps {
  role?: 'status';
  component?: 'li' | 'p';
  children: ReactNode;
}

/**
 * A text with its line breaks as someone typed it. It is only as wide as its lines, so that text written from right to
 * left also starts below its heading.
 */
export function UserText({ style, ...text }: UserTextProps) {
  return <Text dir="auto" lh={1.5} w="fit-content" maw="100%" style={[{ whiteSpace: 'pre-wrap' }, style]} {...text} />;
}
