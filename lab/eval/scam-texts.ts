import { createRandom, type Random } from '../random.ts';

const pick = <T>(random: Random, items: readonly T[]): T => items[Math.floor(random.next() * items.length)] as T;
/** Chooses randomly between the options in brackets, such as `[Hi|Hello]`. */
const spun = (random: Random, text: string) =>
  text.replaceAll(/\[([^\]]*)\]/g, (_, choices: string) => pick(random, choices.split('|')));

const names = 'Anna Bea Carla Dana Elif Fatou Greta Hana Ines Jana Kim Lea Mira Nora Olga Pia Rosa Sara Tia Uma'.split(
  ' ',
);

/** One romance scam, as its bots write it: the name, the number and some of the words differ each time. */
export const scamText = (random: Random): string =>
  spun(
    random,
    `[Hi|Hello|Hey dear|Good day] ${pick(random, names)}, [your smile|your lovely smile] gives me hope. I am an [engineer|army doctor|captain] far from home. Text me on WhatsApp +44 7${digits(random, 9)}`,
  ).slice(0, 140);

const listOf = (text: string) => text.split('|');
const topics = listOf(
  'climbing|sailing|free jazz|sour bread|chess|pottery|night runs|old films|gardens|slow trains|poems|drums|skating|wild hikes|board games|cold swims|choirs|tall ships|maps|birds|tango|quizzes|bees|murals|cheese',
);
const places = listOf(
  'the river|my street|the old market|the station|the north coast|the lake|the hills|the harbour|a tiny island|the zoo|the opera|your town|the second bridge|Porto|the last stop',
);
const greetings = [
  'Hi, how are you?',
  'Hey! How is your week going?',
  'Hello from around the corner :)',
  'You have a great smile!',
];
// Phrases in the order of a sentence: genuine texts share a phrase here and there, but no whole sentences.
const [starts, verbs, things, ends] = [
  'I saw|So nice that|Be honest:|My brother says|It seems|Friends tell me|One question:|Rumour has it|I could swear|On your last picture|Between us,|For the record,|Yesterday I heard|Not to brag, but|I just learned|Quick confession:',
  'you really like|you once tried|nobody ever forgets|we both miss|everyone here secretly loves|she gave up|I never got|half the city talks of|you still dream of|I was late for|he sold everything for|we should compare|my aunt invented|you would hate|I keep losing',
  'TOPIC near PLACE|the tickets for TOPIC|a book about TOPIC|that evening of TOPIC in PLACE|her recipe from PLACE|TOPIC without shoes|the longest way to PLACE|a dog named after TOPIC|two weeks of TOPIC|my keys behind PLACE|the song about PLACE|bad puns about TOPIC',
  'and why not?|is that true?|tell me more!|at least on Sundays.|before breakfast.|in the rain, too.|so who won?|which is a start.|and then it snowed.|what is your excuse?|except in August.|as one does.|and I am fine with it.|how about you?',
].map(listOf);
const sentence = (random: Random) =>
  [starts, verbs, things, ends]
    .map((phrases = []) => pick(random, phrases))
    .join(' ')
    .replace('TOPIC', pick(random, topics))
    .replace('PLACE', pick(random, places));
const personal = (random: Random) => `${sentence(random)} ${sentence(random)}`;
const openers = Array.from({ length: 15 }, (_, at) => personal(createRandom(at)));

const digits = (random: Random, count: number) => Math.floor(random.between(10 ** (count - 1), 10 ** count));
const contactOf = (random: Random) =>
  spun(
    random,
    `[my insta is|on insta I am|find me on Telegram:|text me on WhatsApp,] [sun|sea|nora|lio]${digits(random, 4)} or +49 15${digits(random, 8)}`,
  );

/** How a newcomer writes, which stays the same for a person. */
export function writerOf(random: Random): () => string {
  const habit = random.next();
  const sharesContact = random.next() < 0.06;
  const own = personal(random);
  const opener = pick(random, openers);
  return () => {
    const text = () => {
      // A tenth copy an opener that others also copy, and a fifth write a different text to everyone.
      if (habit < 0.1) return random.next() < 0.8 ? opener : spun(random, `[Hey|Hi]! ${opener}`);
      if (habit < 0.3) return own;
      return habit < 0.6 ? pick(random, greetings) : personal(random);
    };
    return (sharesContact && random.next() < 0.3 ? `${contactOf(random)}. ${text()}` : text()).slice(0, 140);
  };
}
