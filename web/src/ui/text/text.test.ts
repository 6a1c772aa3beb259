import { describe, expect, it } from 'vitest';
import { languages } from '#contract/profiles/profile-details.ts';
import { languageName } from './detail-words.ts';
import { lengthOf, listed, regionalTag, unitsFor } from './text.ts';
import { messageMaxLength } from '#contract/constants.ts';
import { sendMessage } from '#contract/messages/messages.ts';

describe('regionalTag', () => {
  it.each([
    ['en-GB', ['en-GB', 'en']],
    ['en-AU', ['de-DE', 'en-AU', 'en-GB']],
    ['en-001', ['en', 'en-001']],
    ['en', ['en', 'de-AT']],
    ['en', ['de-AT']],
    ['en', []],
    ['en', ['en-US@posix', 'en-x-private', 'eng-GB', 'en-']],
  ])('returns %s for readers of %j', (expected, ownTags) => {
    expect(regionalTag('en', ownTags)).toBe(expected);
  });
});

describe('listed', () => {
  it.each([[[]], [['tea']], [['tea', 'chess']], [['tea', 'chess', 'hiking']], [['tea', 'chess', 'hiking', 'jazz']]])(
    'joins %j as the browser does',
    (words) => {
      expect(listed(words)).toBe(new Intl.ListFormat('en').format(words));
      expect(listed(words, 'commas')).toBe(new Intl.ListFormat('en', { type: 'unit' }).format(words));
    },
  );
});

describe('languageName', () => {
  it('returns the same names as the browser', () => {
    const names = new Intl.DisplayNames('en', { type: 'language' });
    expect(languages.map(languageName)).toEqual(languages.map((code) => names.of(code)));
  });

  it('returns the code for a language that is not listed', () => {
    expect(languageName('xx')).toBe('xx');
  });
});

it.each(['a', 'é', 'e\u0301', '😀', '𠮷'])('lengthOf counts a text of %s as the service does', (one) => {
  const most = one.repeat(messageMaxLength);
  const isTaken = (text: string) => sendMessage.body.safeParse({ clientId: crypto.randomUUID(), text }).success;
  expect(lengthOf(most)).toBe(messageMaxLength);
  expect([isTaken(most), isTaken(most + one)]).toEqual([true, false]);
  expect(most.normalize('NFC').length).toBeLessThanOrEqual(unitsFor(messageMaxLength));
});
