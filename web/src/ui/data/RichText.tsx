import { Fragment, type ReactNode } from 'react';
import { Text, type TextProps } from '@mantine/core';

/** Characters from the private use area, which no text contains, are used as placeholders. */
const firstStandIn = 0xe000;

interface RichTextProps<N extends string> {
  /** Makes the text from a stand-in for each part. */
  text: (standIns: Record<N, string>) => string;
  parts: Record<N, ReactNode>;
}

/** A text in which elements replace its values, in whatever order the language needs. */
export function RichText<N extends string>({ text, parts }: RichTextProps<N>) {
  const names = Object.keys(parts) as N[];
  const standIns = Object.fromEntries(names.map((name, index) => [name, String.fromCharCode(firstStandIn + index)]));
  const pieces = text(standIns as Record<N, string>).split(/([\ue000-\uf8ff])/);
  return pieces.map((piece, index) => {
    const name = names[piece.charCodeAt(0) - firstStandIn];
    return <Fragment key={index}>{name === undefined ? piece : parts[name]}</Fragment>;
  });
}

interface UserTextProps extends TextProps {
  role?: 'status';
  component?: 'li' | 'p';
  children: ReactNode;
}

/**
 * Text with its line breaks as someone typed it. It is only as wide as its lines, so that text written from right to
 * left also starts below its heading.
 */
export function UserText({ style, ...text }: UserTextProps) {
  return <Text dir="auto" lh={1.5} w="fit-content" maw="100%" style={[{ whiteSpace: 'pre-wrap' }, style]} {...text} />;
}
