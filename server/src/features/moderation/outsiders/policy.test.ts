import { describe, expect, it } from 'vitest';
import { contentOf, targetOf } from './policy.ts';

const id = '0f9c2a54-3f0b-4e52-9d6f-6a2f4c8f1b11';

describe('targetOf', () => {
  it.each([
    [`https://heartwood.example/app/members/${id}`, { accountId: id }],
    [`heartwood.example/app/members/${id.toUpperCase()}?from=likes`, { accountId: id }],
    [` ${id} `, { accountId: id }],
    [`{${id.replaceAll('-', '')}}`, { accountId: id }],
    ['https://heartwood.example/api/v1/media/abcDEF_-123.large?until=1&sig=x', { pictureKey: 'abcDEF_-123' }],
    ['/api/v1/media/abcDEF_-123.thumbnail', { pictureKey: 'abcDEF_-123' }],
    ['https://heartwood.example/app/members/someone', null],
    ['the one with the red hat', null],
    [`${id}0`, null],
    ['', null],
    [undefined, null],
  ])('finds what %s leads to', (address, target) => {
    expect(targetOf(address)).toEqual(target);
  });
});

describe('contentOf', () => {
  const now = new Date('2026-06-15T12:00:00.000Z');
  const outsiderReport = { type: 'scam', address: id, text: 'Asks for gift cards.', isGoodFaith: true } as const;

  it('is the same with other spaces, letter cases and addresses of the same profile', () => {
    const again = { ...outsiderReport, address: `https://x.example/members/${id}`, text: ' asks for  GIFT cards. ' };
    expect(contentOf(again, now)).toBe(contentOf(outsiderReport, now));
  });

  it.each([
    ['text', { text: 'Asks for money.' }],
    ['type', { type: 'threat' as const }],
    ['profile', { address: id.replace('0', '1') }],
  ])('differs for another %s', (_, other) => {
    expect(contentOf({ ...outsiderReport, ...other }, now)).not.toBe(contentOf(outsiderReport, now));
  });

  it('differs after a month', () => {
    expect(contentOf(outsiderReport, new Date('2026-08-01T12:00:00.000Z'))).not.toBe(contentOf(outsiderReport, now));
  });
});
