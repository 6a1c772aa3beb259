export { blocksBy } from './blocks.reads.ts';
export { likesData } from './export.reads.ts';
export { hide } from './hide.ts';
export { likesLeft, remainingLikes } from './like-count.ts';
export { isLiked } from './likes.reads.ts';
export { type MatchNotes, noteFrom, notesOf, putBackNote, removeNote } from './notes.ts';
export { openingLikes } from './opening-likes.reads.ts';
export { withUsers } from './people.reads.ts';
