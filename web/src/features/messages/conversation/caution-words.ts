import type { Caution } from '#contract/messages.ts';

/** What its receiver is told beside a message, by what is in it. */
export const cautionTexts: Record<Caution, string> = {
  money: 'Careful: never send money to somebody you have not met.',
  contact: 'Careful: keep writing here until you know each other. Who wants to leave Heartwood soon may not mean well.',
  link: 'Careful: open a link only when you know where it leads.',
};
