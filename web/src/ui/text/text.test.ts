import { describe, expect, it } from 'vitest';
import { regionalTag } from './text.ts';

describe('the manner of numbers and dates', () => {
  it.each([
    ['en-GB', ['en-GB', 'en']],
    ['en-AU', ['de-DE', 'en-AU', 'en-GB']],
    ['en-001', ['en', 'en-001']],
    ['en', ['en', 'de-AT']],
    ['en', ['de-AT']],
    ['en', []],
    ['en', ['en-US@posix', 'en-x-private', 'eng-GB', 'en-']],
  ])('is %s for who reads %j', (expected, ownTags) => {
    expect(regionalTag('en', ownTags)).toBe(expected);
  });
});
