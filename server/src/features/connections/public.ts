export { hide } from './blocks.ts';
export { blocksBy } from './lists.reads.ts';
export { likesLeft, remainingLikes } from './likes.ts';
export { countLikers, openingLikes, withUsers } from './lists.reads.ts';
export { likesData } from './lists.reads.ts';
