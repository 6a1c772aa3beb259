export { newestUsers, paginateFound } from './profiles.list.reads.ts';
export { pageLimit, shownEmail, type Viewer } from './profiles.policy.ts';
export { userById, userShownTo } from './profiles.reads.ts';
export { setSeeking } from './profiles.service.ts';
export { toPublicUser, type UserRow } from './profiles.views.ts';
