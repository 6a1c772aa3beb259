export { countLikers } from './likes.reads.ts';
export { demandMember, remainingLikes } from './likes.service.ts';
export { likesData } from './likes.takeout.reads.ts';
