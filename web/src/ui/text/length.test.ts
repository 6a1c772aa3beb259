import { expect, it } from 'vitest';
import { messageMaxLength } from '#contract/constants.ts';
import { sendMessage } from '#contract/messages.ts';
import { lengthOf, unitsFor } from './length.ts';

it.each(['a', 'é', 'e\u0301', '😀', '𠮷'])('lengthOf counts a text of %s as the service does', (one) => {
  const most = one.repeat(messageMaxLength);
  const isTaken = (text: string) => sendMessage.body.safeParse({ clientId: crypto.randomUUID(), text }).success;
  expect(lengthOf(most)).toBe(messageMaxLength);
  expect([isTaken(most), isTaken(most + one)]).toEqual([true, false]);
  expect(most.normalize('NFC').length).toBeLessThanOrEqual(unitsFor(messageMaxLength));
});
