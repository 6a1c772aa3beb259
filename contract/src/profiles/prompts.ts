import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/runtime-macro';
import type { PromptKey } from './interests.ts';

/** Prompts that members complete in their own words, apart from their keys, which the first page needs. */
export const prompts: Record<PromptKey, MessageDescriptor> = {
  'perfect-sunday': msg`My perfect Sunday begins with`,
  'small-joy': msg`A small thing that makes my day`,
  'never-again': msg`Something I will never do again`,
  'teach-me': msg`Teach me how to`,
  'proud-of': msg`I am quietly proud of`,
  'argue-about': msg`I could argue for hours about`,
  'last-laugh': msg`The last thing that made me laugh out loud`,
  'kitchen-pride': msg`The dish I would cook for you`,
  'hidden-talent': msg`A talent you would not guess`,
  'green-flag': msg`I know it is right when someone`,
  'childhood-dream': msg`As a child I was sure I would become`,
  'best-journey': msg`The journey I still talk about`,
  'unpopular-view': msg`My harmless unpopular opinion`,
  'looking-for': msg`I hope to meet someone who`,
  'on-repeat': msg`The song I have on repeat`,
  'book-gift': msg`The book I give away again and again`,
  'rainy-day': msg`On a rainy day you find me`,
  'learned-lately': msg`Something I learned this year`,
  'home-is': msg`A place feels like home when`,
  'change-mind': msg`The last time I changed my mind was about`,
  'ask-me': msg`Ask me about`,
  'weekend-trip': msg`The weekend trip I would plan for us`,
  'grateful-for': msg`Today I am grateful for`,
  'first-date': msg`A first meeting I would enjoy`,
};
