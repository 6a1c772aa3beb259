export { blocksBy, isLiked, likesData, withUsers } from './lists.reads.ts';
export { bookmarksData } from './bookmarks.ts';
export { knownPeopleData } from './known-people.ts';
export { hide, unmatch } from './block.ts';
export { lockPair } from './pair.ts';
export { type HoldKey, holdOf, isDue, isHeld, type Release, withholdLikes } from './holds.ts';
export { releaseLikes } from './release.ts';
export { likesLeft, remainingLikes } from './like.ts';
export { type MatchNotes, noteFrom, notesOf, openingLikes, putBackNote, removeNote } from './like-notes.ts';
