import { describe, expect, it } from 'vitest';
import { isHarsh } from './harsh.ts';

describe('isHarsh', () => {
  it.each([
    'You are so stupid',
    "you're an idiot",
    'YOU UGLY BITCH',
    'b1tch',
    'b i t c h',
    'biiiiitch',
    'ｂｉｔｃｈ',
    'bi\u200btch',
    'f*ck you',
    'fuuuuck you',
    'F U C K you',
    'Fuck  off!',
    'kys',
    'go kill yourself',
    'I will find you and hurt you',
    'send me your nudes',
    'Shut the fuck up',
    'ur pathetic lol',
    'no one will ever love you',
    'You fat old pig',
    '@sshole',
  ])('is true for %s', (text) => expect(isHarsh(text)).toBe(true));

  it.each([
    'I felt like an idiot when I missed the train',
    'That was a stupid film, but fun',
    'My cat is fat and old',
    'The bus was crazy full today',
    'Do you like pigs? We keep two.',
    'I hate Mondays',
    'This cake is killing me',
    'Scunthorpe is where I grew up',
    'Moby-Dick is a classic',
    'You are so funny!',
    'You look lovely in your second picture',
    'I would love to find you a good coffee',
    'Would you like to get a drink on Friday?',
    'Nobody wants to work on a Sunday',
    'Do you live near the cockpit museum?',
    'The ugly duckling was my favourite story',
    'Shut the door behind you :)',
    'Are you as useless at cooking as I am?',
    '',
    '❤️',
  ])('is false for %s', (text) => expect(isHarsh(text)).toBe(false));

  it('answers hostile texts of any kind', () => {
    for (const part of ['you ', 'you are a ', 'f*', 'i will ', 'e\u0301', '1', 'a b '])
      expect(isHarsh(part.repeat(20_000))).toBe(false);
  });
});
