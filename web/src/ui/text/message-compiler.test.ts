import { compileMessage as lingui } from '@lingui/message-utils/compileMessage';
import { describe, expect, it } from 'vitest';
import { compileMessage } from './message-compiler.ts';

describe('the compiler of texts', () => {
  it.each([
    'Users',
    'Showing {shown} of {total} users',
    'Error loading users: {error}',
    '{count, plural, one {# user} other {# users}}',
    'In {n, plural, =0 {no time} one {# second} other {# seconds}}, {name}',
  ])("makes what Lingui's own makes of: %s", (text) => {
    expect(compileMessage(text)).toEqual(lingui(text));
  });

  it('refuses what it does not understand instead of showing braces', () => {
    expect(() => compileMessage('{x, date, long}')).toThrow('Not understood');
    expect(() => compileMessage('{x')).toThrow('Unbalanced');
  });
});
