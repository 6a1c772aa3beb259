export { countLikers } from './reads.ts';
export { demandMember, remainingLikes } from './likes.ts';
export { likesData } from './takeout.reads.ts';
