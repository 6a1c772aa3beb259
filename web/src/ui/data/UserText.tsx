import { Text, type TextProps } from '@mantine/core';
import type { ReactNode } from 'react';

interface UserTextProps extends TextProps {
  role?: 'status';
  component?: 'li' | 'p';
  children: ReactNode;
}

/** A text as someone typed it, with its lines. It is no wider than they are, so that one from right to left begins below its heading too. */
export function UserText({ style, ...text }: UserTextProps) {
  return <Text dir="auto" lh={1.5} w="fit-content" maw="100%" style={[{ whiteSpace: 'pre-wrap' }, style]} {...text} />;
}
