import { Badge } from '@mantine/core';
import type { ReactNode } from 'react';

export type TagTone = 'positive' | 'attention' | 'info' | 'quiet' | 'accent';

const colors = { positive: 'moss', attention: 'honey', info: 'dusk', accent: 'heartwood', quiet: 'gray' } as const;

const dot = { display: 'block', width: '0.45em', height: '0.45em', borderRadius: '50%', background: 'currentcolor' };

/** A short state as text on a tinted background; the dot is decoration. */
export function Tag({ tone, hasDot = false, children }: { tone: TagTone; hasDot?: boolean; children: ReactNode }) {
  return (
    <Badge
      component="span"
      variant="light"
      color={colors[tone]}
      maw="100%"
      data-tone={tone}
      {...(hasDot && { leftSection: <span style={dot} aria-hidden="true" /> })}
    >
      {children}
    </Badge>
  );
}

const most = 99;

/** The number of new things, with its meaning as text for screen readers; nothing at zero. */
export function CountBadge({ count, text }: { count: number; text: string | undefined }) {
  if (count === 0) return null;
  return (
    <Badge component="span" ms="0.45rem" px="0.4rem" miw="1.35rem" h="1.35rem" fw={700}>
      <span aria-hidden="true">{count > most ? `${most}+` : count}</span>
      <span className="visually-hidden">{text}</span>
    </Badge>
  );
}
