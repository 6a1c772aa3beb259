import { msg, t } from '@lingui/core/macro';
import { Text } from '@mantine/core';
import { formatNumber } from '../../ui/text/format.ts';
import { fill } from '../../ui/text/i18n.ts';
import classes from './likes.module.css';

/** The server stops counting at this number. */
const countedMost = 1000;

/** For members with premium: how many people are waiting for an answer. */
export const waitWords = {
  counted: msg({
    message:
      '{count, plural, one {One person likes you and is waiting} other {# people like you and are waiting}} for your answer.',
  }),
  more: msg({ message: 'More than {count} people like you and are waiting for your answer.' }),
};

/**
 * The number of people who like the member, including those the member has decided on, so that it reveals nothing about
 * any one person.
 */
const likeWords = {
  counted: msg({ message: '{count, plural, one {One person likes you.} other {# people like you.}}' }),
  more: msg({ message: 'More than {count} people like you.' }),
};

/** A count of people in words. */
export function Count({ count, words: { counted, more } }: { count: number; words: typeof waitWords }) {
  const words = count >= countedMost ? more : counted;
  return (
    <Text mb="1rem" ff="heading" fz="title" fw={600}>
      {fill(words, { count: Math.min(count, countedMost - 1) })}
    </Text>
  );
}

export interface HiddenLikesProps {
  count: number;
  patterns: readonly number[];
}

/** For members without premium: the number of likes, and patterns that identify no one. */
export function HiddenLikes({ count, patterns }: HiddenLikesProps) {
  const hasMore = count > patterns.length;
  return (
    <>
      <Count count={count} words={likeWords} />
      <div className={classes.patterns}>
        {patterns.slice(0, hasMore ? -1 : undefined).map((seed) => (
          <LikePattern key={seed} seed={seed} />
        ))}
        {hasMore && (
          <p className={classes.more}>
            {count >= countedMost
              ? t`and many more`
              : t`and ${{ count: formatNumber(count - patterns.length + 1) }} more`}
          </p>
        )}
      </div>
    </>
  );
}

const rings = 5;
const points = 48;
/** The number of chart colours in use. */
const hues = 4;

/** Returns pseudo-random numbers in [0, 1) from a seed (mulberry32). */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The wavy outline of one ring with radius `size`. */
function ringPath(size: number, next: () => number): string {
  const [waves, depth, turn] = [2 + Math.floor(next() * 5), 0.02 + next() * 0.05, next() * 2 * Math.PI];
  const path = Array.from({ length: points }, (_, index) => {
    const angle = (index / points) * 2 * Math.PI;
    const reach = size * (1 + depth * Math.sin(waves * angle + turn));
    return `${(Math.cos(angle) * reach).toFixed(1)} ${(Math.sin(angle) * reach).toFixed(1)}`;
  });
  return `M${path.join('L')}Z`;
}

/** Draws a number as the rings of a tree trunk. The shape is random and identifies no one. */
function LikePattern({ seed }: { seed: number }) {
  const next = numbersFrom(seed);
  const hue = 1 + Math.floor(next() * hues);
  const color = `var(--hw-chart-${hue})`;
  const paths = Array.from({ length: rings }, (_, index) => ringPath(((index + 1) / rings) * 42, next));
  return (
    <svg
      className={classes.pattern}
      data-hue={hue}
      style={{ color }}
      viewBox="-50 -50 100 100"
      aria-hidden="true"
      focusable="false"
    >
      {paths.map((path) => (
        <path key={path} d={path} fill="none" stroke="currentColor" strokeWidth={1.8} />
      ))}
    </svg>
  );
}
