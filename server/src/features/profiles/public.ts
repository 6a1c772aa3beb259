export { pointOf, shownDistance } from './view/distance.ts';
export { newestUsers, paginateFound } from './staff/list.reads.ts';
export { pageLimit, shownEmail, type Viewer } from './policy.ts';
export { notIncognito, userById, userShownTo, usersByIds } from './reads.ts';
export { placeFrom, noPlace } from './place/place.ts';
export { snapToPlaceCell, type Point } from './place/place-cell.ts';
export { forgetSeen, noteSeen } from './view/seen.ts';
export { setIncognito, setSeeking } from './profiles.ts';
export { toPublicUser, type UserRow } from './views.ts';
