export { hide } from './blocks.ts';
export { putBackNote, removeNote } from './decisions.ts';
export { blocksBy } from './lists.reads.ts';
export { likesLeft, remainingLikes } from './likes.ts';
export { countLikers, noteFrom, openingLikes, withUsers } from './lists.reads.ts';
export { likesData } from './lists.reads.ts';
