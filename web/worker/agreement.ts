import type { Language } from '#contract/languages.ts';

/** The files that work without a network, as listed by the build. */
export interface Shell {
  /** Changes whenever any of its contents does. */
  version: string;
  /** The script that the page of this build starts with. */
  entry: string;
  /** Everything besides the page itself and the texts. */
  files: readonly string[];
  /** The files of the texts that the pages need, by language. */
  texts: Partial<Record<Language, readonly string[]>>;
}

/** A page's messages to the service worker. */
export type Said =
  /** Take over from the running version. */
  | 'take-over'
  /** A session has ended: forget which pages were opened, including those still loading. */
  | 'forget'
  /** Answer through the enclosed port which script your version's page starts with. */
  | 'entry';

/** Caches with this prefix hold the files of opened pages; they are deleted when the session ends. */
export const visitedPrefix = 'visited-';

/** Caches with this prefix hold the files of unsent messages, one for each member; they stay until the messages are gone. */
export const unsentPrefix = 'unsent-';

/** The server timing that tells a page that it came from the cache because the network failed. */
export const keptPageMark = 'kept-page';
