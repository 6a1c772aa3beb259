export { applyActive } from './staff/admin.ts';
export { ageOf } from './age/age.reads.ts';
export { askMember, endFailedCheck, requireAge } from './age/check.ts';
export { distanceKm, pointOf, shownDistance } from './place/distance.ts';
export { revealTo } from './staff/reveal.ts';
export {
  askForRelease,
  forgetChosen,
  filtersAsText,
  keepActId,
  recent as recentApprovals,
  releaseRequestOf,
  requestApproval,
  useApproval,
  allowedBy,
} from './staff/approvals.ts';
export { checkUserFilters, mayFilterUsersBy } from './staff/filters.reads.ts';
export { addressesShown, noteAddresses } from './staff/listed.ts';
export { idsListed, listedUsers, newestUsers, paginateFound } from './staff/list.reads.ts';
export {
  type AddressViewer,
  emailFor,
  mayDeactivate,
  missingParts,
  permissionsOn,
  seesPrivate,
  shownEmail,
  type StaffViewer,
  type Viewer,
} from './policy.ts';
export { personColumns, type Reader, userById, userColumns, userShownTo, usersByIds, userTables } from './reads.ts';
export {
  givePhotoVerified,
  giveUpPhotoVerified,
  mayContact,
  putBackPhotoVerified,
  requireMayContact,
  setVerifiedContactOnly,
  takePhotoVerified,
} from './photo-verified.ts';
export { hasNoHiddenWord, hiddenWordsOf } from './hidden-words.ts';
export { ownChanges } from './own-changes.ts';
export { countryFrom } from './place/countries.ts';
export { placeFrom, noPlace } from './place/place.ts';
export { snapToPlaceCell, type Point } from './place/distance.ts';
export { noteSeen } from './reads.ts';
export {
  lockProfile,
  refuseRemovedTexts,
  removedTextHash,
  setIncognito,
  setPaused,
  setSeeking,
  textColumns,
  updateProfile,
} from './profiles.ts';
export { type PersonRow, type PublicRow, toPerson, toPublicUser, type UserRow } from './views.ts';
export { notIncognito, unblocked, visibleTo } from './reads.ts';
