import * as z from 'zod/mini';
import { answer, endpoint } from './endpoint.ts';
import { idSchema } from './text.ts';

/** Questions about living together, by topic. Questions and options are stored by key; keys never change. */
const questionsOfDailyLife = {
  'Time together and alone': {
    'time-alone': {
      text: 'How much time to yourself do you need, even when you are in love?',
      options: {
        'hardly-any': 'Hardly any',
        evening: 'An evening a week',
        daily: 'A little every day',
        days: 'Whole days now and then',
      },
    },
    messages: {
      text: 'How much would you like to text each other on a workday?',
      options: { evening: 'Not at all, we talk in the evening', few: 'A word or two', many: 'Again and again' },
    },
    affection: {
      text: 'Holding hands, or a kiss at the bus stop?',
      options: { gladly: 'Both, gladly', hands: 'Holding hands, yes', home: 'I keep that for home' },
    },
    'phones-at-table': {
      text: 'Where is your phone during dinner?',
      options: { away: 'In another room', 'face-down': 'On the table, but untouched', hand: 'In my hand now and then' },
    },
    'showing-care': {
      text: 'How do you find it easiest to show that you care?',
      options: {
        words: 'In words',
        deeds: 'By doing something for you',
        time: 'By making time',
        touch: 'With a hug',
      },
    },
  },
  'A home together': {
    tidiness: {
      text: 'How tidy should a shared home be?',
      options: {
        strict: 'Everything in its place',
        'lived-in': 'Tidy, but lived in',
        relaxed: 'A mess is fine, dirt is not',
        blind: 'I hardly notice',
      },
    },
    chores: {
      text: 'How should two people share the housework?',
      options: {
        half: 'Half and half, whatever happens',
        liking: 'Each does what they mind least',
        time: 'The one with more time does more',
      },
    },
    visitors: {
      text: 'On Sunday friends ring the bell unannounced. What do you think?',
      options: { joy: 'Lovely, I put the kettle on', call: 'Nice, but please call first', rarely: 'Not on a Sunday' },
    },
    animals: {
      text: 'Would you share your home with a pet?',
      options: { must: 'I would not want to live without one', gladly: 'Gladly', 'rather-not': 'Rather not' },
    },
    'city-or-country': {
      text: 'Where would you like to live in ten years?',
      options: {
        city: 'In the middle of a city',
        edge: 'At its edge, with trees',
        country: 'In the country',
        anywhere: 'Wherever we are together',
      },
    },
  },
  Money: {
    'shared-money': {
      text: 'How should a couple handle money?',
      options: { 'one-pot': 'All in one pot', part: 'A shared pot for shared things', apart: 'Each their own' },
    },
    'left-over': {
      text: 'There is money left at the end of the month. What do you do with it?',
      options: { save: 'I put it aside', both: 'Half is saved, half is fun', enjoy: 'I enjoy it' },
    },
    'big-purchase': {
      text: 'Before you buy something large, do you talk it over with your partner?',
      options: { always: 'Always', shared: 'Only what is for both of us', alone: 'No, each decides alone' },
    },
    lending: {
      text: 'A good friend asks you for a loan. What do you do?',
      options: { lend: 'I lend it if I can', give: 'I give what I can spare', never: 'I keep friends and loans apart' },
    },
    'first-bill': {
      text: 'Who pays on the first evening out?',
      options: { split: 'We split', asked: 'The one who asked', turns: 'One now, the other next time' },
    },
  },
  'Plans and travel': {
    'free-saturday': {
      text: 'A free Saturday is coming. What do you want to know on Friday evening?',
      options: { plan: 'What we do, and when', idea: 'A rough idea is enough', nothing: 'Nothing, we will see' },
    },
    punctuality: {
      text: 'We meet at eight. When do you get there?',
      options: {
        early: 'Ten minutes early',
        'on-time': 'At eight',
        late: 'Soon after, and I write',
        elastic: 'Eightish',
      },
    },
    surprises: {
      text: 'How would you like a surprise party for your birthday?',
      options: { love: 'Very much', few: 'With a few close people', never: 'Please never' },
    },
    holiday: {
      text: 'Two weeks off. How do you spend them?',
      options: {
        rest: 'In one place, resting',
        tour: 'In a new place every other day',
        outdoors: 'Outdoors, with a tent or good boots',
        home: 'At home, with time for everything',
      },
    },
    'travel-apart': {
      text: 'Would you go on holiday without your partner?',
      options: {
        gladly: 'Gladly, also for weeks',
        weekend: 'For a weekend with friends',
        no: 'I would rather go together',
      },
    },
  },
};

/** Questions about treating each other well, by topic. Questions and options are stored by key; keys never change. */
const questionsOfEachOther = {
  'When we disagree': {
    'when-angry': {
      text: 'You are angry with someone you love. What do you do first?',
      options: {
        say: 'I say it right away',
        cool: 'I need an hour, then I talk',
        write: 'I put it in writing',
        'let-pass': 'I let it pass',
      },
    },
    'sleep-on-it': {
      text: 'Is it all right to go to sleep in the middle of an argument?',
      options: { yes: 'Yes, we are wiser tomorrow', no: 'No, I want to settle it first' },
    },
    'raised-voices': {
      text: 'What if voices are raised?',
      options: { clears: 'That clears the air', rare: 'It happens, and we say sorry', never: 'I can’t stand shouting' },
    },
    'first-step': {
      text: 'After an argument, who makes the first step?',
      options: { me: 'Mostly me', wrong: 'The one who was wrong', either: 'Either, as long as one of us does' },
    },
    criticism: {
      text: 'How do you like to hear that something bothers your partner?',
      options: { straight: 'Straight to the point', kindly: 'Gently', later: 'Later, when the moment is calm' },
    },
  },
  'Friends and family': {
    'family-visits': {
      text: 'How often would you like to see your family?',
      options: {
        weekly: 'Every week',
        monthly: 'About once a month',
        'big-days': 'On special occasions',
        rarely: 'Rarely',
      },
    },
    'own-friends': {
      text: 'Should a couple share their friends?',
      options: { shared: 'Mostly shared', both: 'Some shared, some our own', own: 'Each has their own' },
    },
    parties: {
      text: 'At a party full of strangers, where are you?',
      options: { middle: 'In the middle of it', kitchen: 'In the kitchen with two people', home: 'On my way home' },
    },
    'moving-in': {
      text: 'When would you move in together?',
      options: {
        soon: 'Within the first year',
        later: 'After a year or two',
        promised: 'Once we are sure we will stay together',
        'two-homes': 'I would rather keep two homes',
      },
    },
    'parent-in-need': {
      text: 'A parent can no longer live alone. Could they live with you?',
      options: { yes: 'Yes, of course', near: 'Nearby, but not in one home', other: 'We would find another way' },
    },
  },
  'Trust and jealousy': {
    'friends-with-ex': {
      text: 'May a partner stay friends with an ex?',
      options: { fine: 'Of course', known: 'Yes, if I know them too', uneasy: 'It would make me uneasy' },
    },
    flirting: {
      text: 'Someone flirts with the person you love. How do you feel?',
      options: {
        proud: 'I am a little proud',
        twinge: 'A brief twinge',
        talk: 'I want to talk about it',
        hurt: 'It hurts',
      },
    },
    'phone-code': {
      text: 'Should partners know each other’s phone passcode?',
      options: { yes: 'Yes, there is nothing to hide', emergency: 'For emergencies', no: 'No, that stays private' },
    },
    'white-lies': {
      text: 'The soup tastes odd, but it was made with love. What do you say?',
      options: { truth: 'The truth, kindly', delicious: '“Delicious!”', thanks: '“Thank you for cooking.”' },
    },
    promises: {
      text: 'You promised to come, then something better turns up. What do you do?',
      options: { keep: 'I keep my promise', ask: 'I ask whether we can move it', go: 'I go where I want to be' },
    },
  },
  'Children and the years ahead': {
    upbringing: {
      text: 'How would you bring up a child?',
      options: {
        rules: 'With clear rules',
        few: 'With few rules, always kept',
        free: 'With as much freedom as possible',
      },
    },
    'day-off': {
      text: 'School is closed today. Which parent takes the day off?',
      options: {
        turns: 'They take turns',
        easier: 'The one who can most easily',
        one: 'The one who works less anyway',
      },
    },
    'screen-time': {
      text: 'A six-year-old wants to watch something. What do you say?',
      options: { 'not-yet': 'Not at this age', little: 'A little, then we go out', free: 'You choose how long' },
    },
    'partners-child': {
      text: 'Someone you like already has a child. How do you feel about that?',
      options: { joy: 'It makes me happy', time: 'Fine, if we take our time', no: 'It is not for me' },
    },
    'moving-abroad': {
      text: 'Would you move to another country for the two of us?',
      options: { yes: 'Yes', while: 'For a year or two', no: 'My place is here' },
    },
  },
};

interface QuestionOption {
  id: string;
  text: string;
}

/** One question about members and the people they would like to meet. */
export interface Question {
  id: string;
  topic: string;
  text: string;
  options: readonly QuestionOption[];
}

type Topics = Record<string, Record<string, { text: string; options: Record<string, string> }>>;

const topics: Topics = { ...questionsOfDailyLife, ...questionsOfEachOther };

/** All questions, in order. */
export const questions: readonly Question[] = Object.entries(topics).flatMap(([topic, asked]) =>
  Object.entries(asked).map(([id, { text, options }]) => ({
    id,
    topic,
    text,
    options: Object.entries(options).map(([optionId, optionText]) => ({ id: optionId, text: optionText })),
  })),
);

const byId = new Map(questions.map((question) => [question.id, question]));

/** The question with that id, if it exists. */
export function questionById(id: string): Question | undefined {
  return byId.get(id);
}

/**
 * How much another person's answer matters, and its weight: OkCupid's scale, from its FAQ 'Match
 * percentages', as https://blogs.ams.org/mathgradblog/2016/06/08/okcupid-math-online-dating/ gives it.
 */
export const importanceWeights = { irrelevant: 0, 'a-little': 1, somewhat: 10, very: 50, mandatory: 250 } as const;
export type Importance = keyof typeof importanceWeights;
export const importances = Object.keys(importanceWeights) as [Importance, ...Importance[]];

/** The importance levels in words. */
export const importanceWords: Record<Importance, string> = {
  irrelevant: 'Not at all',
  'a-little': 'A little',
  somewhat: 'Somewhat',
  very: 'Very much',
  mandatory: 'A must',
};

/** The most options that any question has. */
export const optionsMax = 4;
/** With fewer shared questions that matter to both, no band is shown. */
export const commonAnswersMin = 10;
/** How many existing answers may be changed within seven days; first answers are always free. */
export const answerChangesMax = 3;

export const compatibilityBands = ['low', 'good', 'high'] as const;
export type CompatibilityBand = (typeof compatibilityBands)[number];
/** The number shown for each band. A finer scale would reveal private answers. */
export const bandScores: Record<CompatibilityBand, number> = { low: 25, good: 60, high: 85 };

const answerSchema = z.object({
  questionId: z.string(),
  /** The option that describes the member. */
  answer: z.string(),
  /** The options the member accepts in another person. */
  accepted: z.array(z.string()),
  importance: z.enum(importances),
});

/** A member's answer to one question; only the member can see it. */
export type CompatibilityAnswer = z.output<typeof answerSchema>;

const allAnswers = answer({ data: z.object({ answers: z.array(answerSchema) }) });
const questionParams = z.object({ questionId: idSchema });

export const getAnswers = endpoint({
  method: 'GET',
  path: '/compatibility/answers',
  summary: 'List my answers to the compatibility questions, in question order.',
  access: 'signedIn',
  response: allAnswers,
  errors: ['FORBIDDEN'],
});

export const putAnswer = endpoint({
  method: 'PUT',
  path: '/compatibility/answers/{questionId}',
  summary:
    'Answer a question or change my answer: what is true of me, which answers I accept, and how much it matters.',
  access: 'signedIn',
  writes: true,
  params: questionParams,
  body: z
    .object({
      answer: idSchema,
      accepted: z.array(idSchema).check(z.maxLength(optionsMax, `Choose ${optionsMax} at most`)),
      importance: z.enum(importances),
    })
    .check(
      z.refine(({ accepted, importance }) => importance === 'irrelevant' || accepted.length > 0, {
        path: ['accepted'],
        error: 'Choose at least one',
      }),
    ),
  response: allAnswers,
  errors: ['FORBIDDEN', 'NOT_FOUND', 'TOO_MANY_REQUESTS'],
});

export const deleteAnswer = endpoint({
  method: 'DELETE',
  path: '/compatibility/answers/{questionId}',
  summary: 'Delete my answer to a question.',
  access: 'signedIn',
  writes: true,
  params: questionParams,
  response: allAnswers,
  errors: ['FORBIDDEN', 'NOT_FOUND'],
});
