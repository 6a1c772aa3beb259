import { sandboxCards, type SandboxToken } from '#contract/subscriptions/payments-sandbox.ts';

export interface CardValues {
  number: string;
  expiry: string;
  cvc: string;
  name: string;
}

const digitsOf = (text: string) => text.replace(/\D/g, '');

/** The token of a test card, whatever separators are between its digits; null for every other number. */
export function tokenOf(number: string): SandboxToken | null {
  if (/[^\d\s-]/.test(number)) return null;
  return sandboxCards.find((card) => card.number === digitsOf(number))?.token ?? null;
}

/** A number as cards have it, in groups of four. */
export function grouped(number: string): string {
  return digitsOf(number).replace(/(\d{4})(?=\d)/g, '$1 ');
}

const century = 2000;

/** Whether a card good until the end of a month (`MM/YY` or `MM/YYYY`) is good at `now`; null when it is no month. */
function isGood(expiry: string, now: Date): boolean | null {
  const [, month, year] = /^\s*(\d{1,2})\s*\/?\s*(\d{4}|\d{2})\s*$/.exec(expiry) ?? [];
  if (month === undefined || year === undefined || Number(month) < 1 || Number(month) > 12) return null;
  const fullYear = Number(year) < 100 ? century + Number(year) : Number(year);
  return fullYear * 12 + Number(month) > now.getFullYear() * 12 + now.getMonth();
}

/** What is wrong with a card as it was typed, field by field; nothing when it can be paid with. */
export function cardErrors({ number, expiry, cvc }: CardValues, now: Date): Partial<Record<keyof CardValues, string>> {
  const errors: Partial<Record<keyof CardValues, string>> = {};
  if (number.trim() === '') errors.number = 'This is required';
  else if (tokenOf(number) === null) {
    errors.number = 'This is not one of the test cards. It was not sent. Never enter a real card here.';
  }
  const isGoodNow = isGood(expiry, now);
  if (expiry.trim() === '') errors.expiry = 'This is required';
  else if (isGoodNow === null) errors.expiry = 'Use the month and year, like 12/30';
  else if (!isGoodNow) errors.expiry = 'This date has passed. Use any future month.';
  if (cvc.trim() === '') errors.cvc = 'This is required';
  else if (!/^\s*\d{3,4}\s*$/.test(cvc)) errors.cvc = 'Use three or four digits';
  return errors;
}
