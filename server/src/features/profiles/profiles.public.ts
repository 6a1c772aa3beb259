export { pointOf, shownDistance } from './profiles.distance.ts';
export { newestUsers, paginateFound } from './profiles.list.reads.ts';
export { pageLimit, shownEmail, type Viewer } from './profiles.policy.ts';
export { notIncognito, userById, userShownTo, usersByIds } from './profiles.reads.ts';
export { placeFrom, noPlace } from './profiles.place.service.ts';
export { forgetSeen, noteSeen } from './profiles.seen.service.ts';
export { setIncognito, setSeeking } from './profiles.service.ts';
export { toPublicUser, type UserRow } from './profiles.views.ts';
