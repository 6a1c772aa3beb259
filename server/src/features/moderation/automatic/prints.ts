import { createHash } from 'node:crypto';
import { comparedWords } from '#contract/moderation/rule-words.ts';
import { plain } from '#contract/readable.ts';

/** The number of consecutive words that are compared together, so that one changed word affects only a few parts. */
const partWords = 3;
/**
 * Two texts share a fingerprint if all values of one band are equal. If six tenths of their parts are the same, two texts in three share
 * one; with a tenth, one in a thousand pairs.
 */
const bands = 8;
const bandValues = 4;

// In scripts without spaces between words, each letter counts as a word.
const word = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]|[\p{L}\p{M}\p{N}]+/gu;

const mixed = (value: number, seed: number) => {
  let bits = Math.imul(value ^ (seed * 0x9e3779b9), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
};

/** The FNV-1a hash of a text. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

/**
 * Digests of a text, some of which similar texts share: the smallest hashes of its parts, in bands. None for short texts, which many people
 * write. The text can't be derived from them.
 */
export function printsOf(text: string): string[] {
  const words = plain(text).toLowerCase().match(word) ?? [];
  if (words.length < comparedWords) return [];
  const parts = new Set<number>();
  for (let at = 0; at + partWords <= words.length; at += 1)
    parts.add(hashOf(words.slice(at, at + partWords).join(' ')));
  const smallest = (seed: number) => {
    let least = 0xffffffff;
    for (const part of parts) least = Math.min(least, mixed(part, seed));
    return least;
  };
  return Array.from({ length: bands }, (_, band) => {
    const values = Array.from({ length: bandValues }, (_none, index) => smallest(band * bandValues + index + 1));
    return createHash('sha256')
      .update([band, ...values].join(' '))
      .digest()
      .readBigInt64BE(0)
      .toString();
  });
}
