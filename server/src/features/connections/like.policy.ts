type Kind = 'like' | 'pass' | 'unmatch';

/**
 * What a like leads to, given what the two have decided about each other: `own` is the caller's decision before this like, `back` the other
 * person's. `send`: the like waits for an answer, or stays unanswered. `match`: both like each other. `repeat`: it was sent before, so
 * nothing changes. `refuse`: the two were a match, and one of them ended it.
 */
export function likeOutcome(own: Kind | undefined, back: Kind | undefined): 'send' | 'match' | 'repeat' | 'refuse' {
  if (own === 'unmatch' || back === 'unmatch') return 'refuse';
  if (back === 'like') return 'match';
  return own === 'like' ? 'repeat' : 'send';
}
