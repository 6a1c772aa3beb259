export { blocksBy } from './blocks.reads.ts';
export { likesData } from './export.reads.ts';
export { hide } from './hide.ts';
export { likesLeft, remainingLikes } from './like-count.ts';
export { countLikers } from './likes.reads.ts';
export { noteFrom, putBackNote, removeNote } from './notes.ts';
export { openingLikes } from './opening-likes.reads.ts';
export { withUsers } from './people.reads.ts';
