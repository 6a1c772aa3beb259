export { hide } from './blocks/block.ts';
export { blocksBy } from './blocks/blocks.reads.ts';
export { remainingLikes } from './likes/like.ts';
export { countLikers } from './likes/likes.reads.ts';
export { likesData } from './takeout.reads.ts';
