import { describe, expect, it } from 'vitest';
import { hiddenWordFinder } from './hidden-words.ts';

describe('hiddenWordFinder', () => {
  it.each([
    ['crypto', 'I love Crypto!'],
    ['crypto', 'c r y p t o is the future'],
    ['crypto', 'crурtо'],
    ['crypto', 'crypt0'],
    ['crypto', 'ｃｒｙｐｔｏ'],
    ['crypto', 'cry\u200bpto'],
    ['cafe', 'a Café'],
    ['on-line only', 'On line, only'],
    ['don’t', "DON'T"],
    ['🍆🍆', 'hi🍆🍆'],
    ['加密', '我喜欢加密货币'],
    ['щука', 'Щука?'],
    ['غبي', 'أنت غـــبـــي'],
    ['غبي', 'غَبِي'],
    ['scheiße', 'SO EINE SCHEISSE'],
    ['kłamca', 'Klamca!'],
    ['дурёха', 'ДУРЕХА'],
    ['लड़का', 'अच्छा लडका है'],
    ['លុយ', 'ខ្ញុំចង់បានលុយច្រើន'],
    ['ເງິນ', 'ຂ້ອຍຢາກໄດ້ເງິນຫຼາຍ'],
    ['ငွေ', 'ကျွန်တော်ငွေလိုတယ်'],
    ['crypto', '我玩crypto很久了'],
    ['🍆', 'hi🍆'],
    ['❤️', 'I ❤ you'],
    ['血', '流血了'],
    ['whatsapp', 'wh@tsapp'],
    ['telegram', 't3l3gr4m'],
    ['ass', 'nice a$$'],
    ['420', '420 friendly'],
  ])('finds %s in %s', (word, text) => {
    expect(hiddenWordFinder([word])(text)).toBe(true);
  });

  it.each([
    ['ex', 'exciting text'],
    ['rypto', 'crypto'],
    ['a.c', 'abc'],
    ['(((', '((('],
    ['.*', 'anything'],
    ['ass', 'My rent is 455 euros'],
    ['ass', 'It costs $455'],
    ['so', '50 people came @ 8'],
    ['tot', 'Тот самый'],
    ['血', '皿'],
  ])('does not find %s in %s', (word, text) => {
    expect(hiddenWordFinder([word])(text)).toBe(false);
  });

  it('finds nothing without words', () => {
    expect(hiddenWordFinder([])('anything')).toBe(false);
  });
});
