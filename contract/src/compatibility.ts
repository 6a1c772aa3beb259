import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/runtime-macro';
import * as z from 'zod/mini';
import { answer, endpoint } from './endpoint.ts';
import { idSchema } from './text.ts';
import { said } from './said.ts';

/** Questions about living together, by topic. Questions and options are stored by key; keys never change. */
const questionsOfDailyLife = {
  'Time together and alone': {
    'time-alone': {
      text: msg`How much time to yourself do you need, even when you are in love?`,
      options: {
        'hardly-any': msg`Hardly any`,
        evening: msg`An evening a week`,
        daily: msg`A little every day`,
        days: msg`Whole days now and then`,
      },
    },
    messages: {
      text: msg`How much would you like to text each other on a workday?`,
      options: {
        evening: msg`Not at all, we talk in the evening`,
        few: msg`A word or two`,
        many: msg`Again and again`,
      },
    },
    affection: {
      text: msg`Holding hands, or a kiss at the bus stop?`,
      options: { gladly: msg`Both, gladly`, hands: msg`Holding hands, yes`, home: msg`I keep that for home` },
    },
    'phones-at-table': {
      text: msg`Where is your phone during dinner?`,
      options: {
        away: msg`In another room`,
        'face-down': msg`On the table, but untouched`,
        hand: msg`In my hand now and then`,
      },
    },
    'showing-care': {
      text: msg`How do you find it easiest to show that you care?`,
      options: {
        words: msg`In words`,
        deeds: msg`By doing something for you`,
        time: msg`By making time`,
        touch: msg`With a hug`,
      },
    },
  },
  'A home together': {
    tidiness: {
      text: msg`How tidy should a shared home be?`,
      options: {
        strict: msg`Everything in its place`,
        'lived-in': msg`Tidy, but lived in`,
        relaxed: msg`A mess is fine, dirt is not`,
        blind: msg`I hardly notice`,
      },
    },
    chores: {
      text: msg`How should two people share the housework?`,
      options: {
        half: msg`Half and half, whatever happens`,
        liking: msg`Each does what they mind least`,
        time: msg`The one with more time does more`,
      },
    },
    visitors: {
      text: msg`On Sunday friends ring the bell unannounced. What do you think?`,
      options: {
        joy: msg`Lovely, I put the kettle on`,
        call: msg`Nice, but please call first`,
        rarely: msg`Not on a Sunday`,
      },
    },
    animals: {
      text: msg`Would you share your home with a pet?`,
      options: { must: msg`I would not want to live without one`, gladly: msg`Gladly`, 'rather-not': msg`Rather not` },
    },
    'city-or-country': {
      text: msg`Where would you like to live in ten years?`,
      options: {
        city: msg`In the middle of a city`,
        edge: msg`At its edge, with trees`,
        country: msg`In the country`,
        anywhere: msg`Wherever we are together`,
      },
    },
  },
  Money: {
    'shared-money': {
      text: msg`How should a couple handle money?`,
      options: {
        'one-pot': msg`All in one pot`,
        part: msg`A shared pot for shared things`,
        apart: msg`Each their own`,
      },
    },
    'left-over': {
      text: msg`There is money left at the end of the month. What do you do with it?`,
      options: { save: msg`I put it aside`, both: msg`Half is saved, half is fun`, enjoy: msg`I enjoy it` },
    },
    'big-purchase': {
      text: msg`Before you buy something large, do you talk it over with your partner?`,
      options: { always: msg`Always`, shared: msg`Only what is for both of us`, alone: msg`No, each decides alone` },
    },
    lending: {
      text: msg`A good friend asks you for a loan. What do you do?`,
      options: {
        lend: msg`I lend it if I can`,
        give: msg`I give what I can spare`,
        never: msg`I keep friends and loans apart`,
      },
    },
    'first-bill': {
      text: msg`Who pays on the first evening out?`,
      options: { split: msg`We split`, asked: msg`The one who asked`, turns: msg`One now, the other next time` },
    },
  },
  'Plans and travel': {
    'free-saturday': {
      text: msg`A free Saturday is coming. What do you want to know on Friday evening?`,
      options: {
        plan: msg`What we do, and when`,
        idea: msg`A rough idea is enough`,
        nothing: msg`Nothing, we will see`,
      },
    },
    punctuality: {
      text: msg`We meet at eight. When do you get there?`,
      options: {
        early: msg`Ten minutes early`,
        'on-time': msg`At eight`,
        late: msg`Soon after, and I write`,
        elastic: msg`Eightish`,
      },
    },
    surprises: {
      text: msg`How would you like a surprise party for your birthday?`,
      options: { love: msg`Very much`, few: msg`With a few close people`, never: msg`Please never` },
    },
    holiday: {
      text: msg`Two weeks off. How do you spend them?`,
      options: {
        rest: msg`In one place, resting`,
        tour: msg`In a new place every other day`,
        outdoors: msg`Outdoors, with a tent or good boots`,
        home: msg`At home, with time for everything`,
      },
    },
    'travel-apart': {
      text: msg`Would you go on holiday without your partner?`,
      options: {
        gladly: msg`Gladly, also for weeks`,
        weekend: msg`For a weekend with friends`,
        no: msg`I would rather go together`,
      },
    },
  },
};

/** Questions about treating each other well, by topic. Questions and options are stored by key; keys never change. */
const questionsOfEachOther = {
  'When we disagree': {
    'when-angry': {
      text: msg`You are angry with someone you love. What do you do first?`,
      options: {
        say: msg`I say it right away`,
        cool: msg`I need an hour, then I talk`,
        write: msg`I put it in writing`,
        'let-pass': msg`I let it pass`,
      },
    },
    'sleep-on-it': {
      text: msg`Is it all right to go to sleep in the middle of an argument?`,
      options: { yes: msg`Yes, we are wiser tomorrow`, no: msg`No, I want to settle it first` },
    },
    'raised-voices': {
      text: msg`What if voices are raised?`,
      options: {
        clears: msg`That clears the air`,
        rare: msg`It happens, and we say sorry`,
        never: msg`I can’t stand shouting`,
      },
    },
    'first-step': {
      text: msg`After an argument, who makes the first step?`,
      options: {
        me: msg`Mostly me`,
        wrong: msg`The one who was wrong`,
        either: msg`Either, as long as one of us does`,
      },
    },
    criticism: {
      text: msg`How do you like to hear that something bothers your partner?`,
      options: {
        straight: msg`Straight to the point`,
        kindly: msg`Gently`,
        later: msg`Later, when the moment is calm`,
      },
    },
  },
  'Friends and family': {
    'family-visits': {
      text: msg`How often would you like to see your family?`,
      options: {
        weekly: msg`Every week`,
        monthly: msg`About once a month`,
        'big-days': msg`On special occasions`,
        rarely: msg`Rarely`,
      },
    },
    'own-friends': {
      text: msg`Should a couple share their friends?`,
      options: { shared: msg`Mostly shared`, both: msg`Some shared, some our own`, own: msg`Each has their own` },
    },
    parties: {
      text: msg`At a party full of strangers, where are you?`,
      options: {
        middle: msg`In the middle of it`,
        kitchen: msg`In the kitchen with two people`,
        home: msg`On my way home`,
      },
    },
    'moving-in': {
      text: msg`When would you move in together?`,
      options: {
        soon: msg`Within the first year`,
        later: msg`After a year or two`,
        promised: msg`Once we are sure we will stay together`,
        'two-homes': msg`I would rather keep two homes`,
      },
    },
    'parent-in-need': {
      text: msg`A parent can no longer live alone. Could they live with you?`,
      options: {
        yes: msg`Yes, of course`,
        near: msg`Nearby, but not in one home`,
        other: msg`We would find another way`,
      },
    },
  },
  'Trust and jealousy': {
    'friends-with-ex': {
      text: msg`May a partner stay friends with an ex?`,
      options: { fine: msg`Of course`, known: msg`Yes, if I know them too`, uneasy: msg`It would make me uneasy` },
    },
    flirting: {
      text: msg`Someone flirts with the person you love. How do you feel?`,
      options: {
        proud: msg`I am a little proud`,
        twinge: msg`A brief twinge`,
        talk: msg`I want to talk about it`,
        hurt: msg`It hurts`,
      },
    },
    'phone-code': {
      text: msg`Should partners know each other’s phone passcode?`,
      options: {
        yes: msg`Yes, there is nothing to hide`,
        emergency: msg`For emergencies`,
        no: msg`No, that stays private`,
      },
    },
    'white-lies': {
      text: msg`The soup tastes odd, but it was made with love. What do you say?`,
      options: { truth: msg`The truth, kindly`, delicious: msg`“Delicious!”`, thanks: msg`“Thank you for cooking.”` },
    },
    promises: {
      text: msg`You promised to come, then something better turns up. What do you do?`,
      options: {
        keep: msg`I keep my promise`,
        ask: msg`I ask whether we can move it`,
        go: msg`I go where I want to be`,
      },
    },
  },
  'Children and the years ahead': {
    upbringing: {
      text: msg`How would you bring up a child?`,
      options: {
        rules: msg`With clear rules`,
        few: msg`With few rules, always kept`,
        free: msg`With as much freedom as possible`,
      },
    },
    'day-off': {
      text: msg`School is closed today. Which parent takes the day off?`,
      options: {
        turns: msg`They take turns`,
        easier: msg`The one who can most easily`,
        one: msg`The one who works less anyway`,
      },
    },
    'screen-time': {
      text: msg`A six-year-old wants to watch something. What do you say?`,
      options: {
        'not-yet': msg`Not at this age`,
        little: msg`A little, then we go out`,
        free: msg`You choose how long`,
      },
    },
    'partners-child': {
      text: msg`Someone you like already has a child. How do you feel about that?`,
      options: { joy: msg`It makes me happy`, time: msg`Fine, if we take our time`, no: msg`It is not for me` },
    },
    'moving-abroad': {
      text: msg`Would you move to another country for the two of us?`,
      options: { yes: msg`Yes`, while: msg`For a year or two`, no: msg`My place is here` },
    },
  },
};

interface QuestionOption {
  id: string;
  text: MessageDescriptor;
}

/** One question about members and the people they would like to meet. */
export interface Question {
  id: string;
  topic: MessageDescriptor;
  text: MessageDescriptor;
  options: readonly QuestionOption[];
}

const topicWords = {
  'Time together and alone': msg`Time together and alone`,
  'A home together': msg`A home together`,
  Money: msg`Money`,
  'Plans and travel': msg`Plans and travel`,
  'When we disagree': msg`When we disagree`,
  'Friends and family': msg`Friends and family`,
  'Trust and jealousy': msg`Trust and jealousy`,
  'Children and the years ahead': msg`Children and the years ahead`,
};
type TopicName = keyof typeof topicWords;

type Topic = Record<string, { text: MessageDescriptor; options: Record<string, MessageDescriptor> }>;

const topics: Record<TopicName, Topic> = { ...questionsOfDailyLife, ...questionsOfEachOther };

/** All questions, in order. */
export const questions: readonly Question[] = (Object.keys(topicWords) as TopicName[]).flatMap((topic) =>
  Object.entries(topics[topic]).map(([id, { text, options }]) => ({
    id,
    topic: topicWords[topic],
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
export const importanceWords: Record<Importance, MessageDescriptor> = {
  irrelevant: msg`Not at all`,
  'a-little': msg`A little`,
  somewhat: msg`Somewhat`,
  very: msg`Very much`,
  mandatory: msg`A must`,
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
      accepted: z.array(idSchema).check(z.maxLength(optionsMax, said(msg`Choose ${{ maximum: optionsMax }} at most`))),
      importance: z.enum(importances),
    })
    .check(
      z.refine(({ accepted, importance }) => importance === 'irrelevant' || accepted.length > 0, {
        path: ['accepted'],
        ...said(msg`Choose at least one`),
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
