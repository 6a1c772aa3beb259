/** What stands without a network, as the build lists it. */
export interface Shell {
  /** Differs with any of its contents. */
  version: string;
  /** The script that the page of this build starts with. */
  entry: string;
  /** Everything besides the page itself. */
  files: readonly string[];
}

/** What a page says to the service worker. */
export type Said =
  /** Take over from the version that is at work. */
  | 'take-over'
  /** A session has ended: forget which pages somebody opened, those that are on their way here included. */
  | 'forget'
  /** Tell, through the port that comes along, which script the page of your version starts with. */
  | 'entry';

/** Where caches begin so, there are files of pages that somebody opened; they go when the session ends. */
export const visitedPrefix = 'visited-';

/** The name of the server timing by which a page knows that it came from what is kept, since the network had none. */
export const keptPageMark = 'kept-page';
