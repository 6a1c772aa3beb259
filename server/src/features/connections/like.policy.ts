/** `held` and `dropped` are undelivered likes; only the sender's own decision can be one of them. */
type Kind = 'like' | 'pass' | 'unmatch' | 'held' | 'dropped';

/** Whether a decision is a like for the person who made it, delivered or not. */
export const isOwnLike = (own: Kind | undefined): boolean => own === 'like' || own === 'held' || own === 'dropped';

/**
 * What a like leads to, given what the two have decided about each other: `own` is the caller's decision before this like, `back` the other
 * person's, as far as it was delivered. `send`: the like waits for an answer, or stays unanswered. `match`: both like each other. `repeat`:
 * it was sent before, so nothing changes, even while it waits for its delivery. `refuse`: the two were a match, and one of them ended it.
 */
export function likeOutcome(
  own: Kind | undefined,
  back: Exclude<Kind, 'held' | 'dropped'> | undefined,
): 'send' | 'match' | 'repeat' | 'refuse' {
  if (own === 'unmatch' || back === 'unmatch') return 'refuse';
  if (own === 'held' || own === 'dropped') return 'repeat';
  if (back === 'like') return 'match';
  return own === 'like' ? 'repeat' : 'send';
}
