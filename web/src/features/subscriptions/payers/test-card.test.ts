import { describe, expect, it } from 'vitest';
import { sandboxCards } from '#contract/subscriptions/payments-sandbox.ts';
import { cardErrors, grouped, tokenOf } from './sandbox-payer.tsx';

const now = new Date(2025, 9, 20);
const card = { number: '4242 4242 4242 4242', expiry: '12/30', cvc: '123', name: '' };

describe('a test card number', () => {
  it.each(sandboxCards)('$number has the token $token with any separators', ({ number, token }) => {
    expect(tokenOf(number)).toBe(token);
    expect(tokenOf(grouped(number))).toBe(token);
    expect(tokenOf(` ${grouped(number).replaceAll(' ', '-')} `)).toBe(token);
  });

  it.each(['', '4242', '4111 1111 1111 1111', '42424242424242420', 'tok_visa', '4242424242424242x'])(
    'does not include "%s"',
    (number) => expect(tokenOf(number)).toBeNull(),
  );

  it('can be written in the digits of any script', () => {
    expect(tokenOf('٤٢٤٢ ٤٢٤٢ ٤٢٤٢ ٤٢٤٢')).toBe(tokenOf('4242424242424242'));
    expect(
      cardErrors({ number: '４２４２４２４２４２４２４２４２', expiry: '१२/३०', cvc: '१२३', name: '' }, now),
    ).toEqual({});
  });

  it('is grouped in fours', () => expect(grouped('4242-42424242 42 42')).toBe('4242 4242 4242 4242'));
});

describe('cardErrors', () => {
  it('returns nothing for a valid card', () => expect(cardErrors(card, now)).toEqual({}));

  it('returns an error for each missing field', () => {
    expect(cardErrors({ number: '', expiry: ' ', cvc: '', name: '' }, now)).toEqual({
      number: 'This is required',
      expiry: 'This is required',
      cvc: 'This is required',
    });
  });

  it('rejects a number that is or may be from a real card', () => {
    expect(cardErrors({ ...card, number: '4111 1111 1111 1111' }, now).number).toMatch(/^This is not one of the test/);
  });

  it.each([
    ['10/25', undefined],
    ['10 / 2025', undefined],
    ['1/26', undefined],
    ['1230', undefined],
    ['09/25', 'This date has passed. Use any future month.'],
    ['12/2024', 'This date has passed. Use any future month.'],
    ['13/30', 'Use the month and year, like 12/30'],
    ['00/30', 'Use the month and year, like 12/30'],
    ['soon', 'Use the month and year, like 12/30'],
  ])('returns for the expiry date %s in October 2025: %s', (expiry, error) => {
    expect(cardErrors({ ...card, expiry }, now).expiry).toBe(error);
  });

  it.each([
    ['1234', undefined],
    ['12', 'Use three or four digits'],
    ['12345', 'Use three or four digits'],
    ['12a', 'Use three or four digits'],
  ])('returns for the security code %s: %s', (cvc, error) => expect(cardErrors({ ...card, cvc }, now).cvc).toBe(error));
});
